// What the transcript is made of: headings of scenes, lines, and what stands beside the story, folded away.

import { read } from "./address.js";
import { el } from "./dom.js";
import { witnessed } from "./people.js";
import { clock, counted, day, manner, sentence } from "./words.js";

const BESIDE = ["mind.remembered", "episode.goal"];

/** Whether it stands beside the story: several such in a row are one that opens. */
export const beside = ({ body }) => BESIDE.includes(body.kind);

/** What makes the lines of some events, and after them those of the events that come next. Of an episode that
    is folded only the heading stands there. */
export function telling(store, cells) {
  const stands = new Map(); // where somebody is, and whether unseen, as far as these events tell
  let place = null;

  function told(event) {
    const { kind } = event.body;
    if (kind === "episode.opened") {
      place = event.place;
      stands.clear();
      for (const who of event.body.cast ?? []) stands.set(who, { place });
      return { event, node: heading(store, event) };
    }
    if (kind === "episode.entered") stands.set(event.actor, { place: event.place ?? place, unseen: event.body.hidden });
    if (kind === "episode.left") stands.delete(event.actor);
    if (!store.shown(event) || store.folded.has(event.episode)) return null;
    return { event, node: line(store, event, sentence(event, place), cells.get(event.seq), overheard(event, stands)) };
  }

  return (events) => together(store, events.map(told).filter(Boolean));
}

/** Who heard something from another place, or unseen: nothing of it was said to them. */
function overheard({ actor, body, place, witnesses = [] }, stands) {
  if (body.kind !== "episode.acted" || body.act === "none") return [];
  const aside = witnesses.filter((who) => who !== actor && !(body.to ?? []).includes(who) && stands.has(who));
  return aside.map((who) => [who, stands.get(who)]).filter(([, at]) => at.unseen || (place && at.place !== place)).map(([who, at]) => (at.unseen ? `${who}, unseen` : `${who}, from ${at.place}`));
}

/** Several things in a row that stand beside the story, goals and memories, as one that can be opened. */
function together(store, made) {
  const nodes = [];
  let run = [];
  const close = () => {
    if (run.length < 2) nodes.push(...run.map((one) => one.node));
    else {
      const open = run.some(({ event }) => event.seq === store.cursor || store.recalled?.has(event.seq));
      const who = [...new Set(run.map(({ event }) => event.body.owner))].join(", ");
      nodes.push(el("details", { class: "beside", open }, el("summary", {}, `${counted(run.length, run[0].event.body.kind === "episode.goal" ? "goal" : "note")} of ${who}`), run.map((one) => one.node)));
    }
    run = [];
  };
  for (const one of made) {
    const apart = beside(one.event);
    if (run.length && (!apart || run[0].event.body.kind !== one.event.body.kind)) close();
    if (apart) run.push(one);
    else nodes.push(one.node);
  }
  close();
  return nodes;
}

function heading(store, event) {
  const { body } = event;
  const folded = store.folded.has(event.episode);
  const fold = el("button", { class: "fold", type: "button", "aria-expanded": String(!folded), "aria-label": `The lines of E${event.episode}`, onclick: () => { store.folded[folded ? "delete" : "add"](event.episode); store.tell("marked"); } }, folded ? "▸" : "▾");
  const name = body.name?.includes(" ") && body.name !== body.scenario ? `${body.name}. ` : "";
  const place = event.place && event.place !== body.scenario ? `, ${event.place}` : "";
  return el("div", { class: "episode", role: "heading", "aria-level": "2", "data-seq": String(event.seq) }, fold, ` E${event.episode} · ${name}${day(event.at)}${place}`, el("small", {}, body.scenario));
}

/** The address of a line, to be sent to somebody. */
const address = (seq) => `${location.pathname}?${new URLSearchParams({ ...read(), at: `#${seq}` })}`;

function line(store, event, words, cell, heard) {
  const how = manner(event);
  const linked = (click) => { if (click.ctrlKey || click.metaKey || click.shiftKey) return; click.preventDefault(); store.to(event.seq, { step: true }); };
  const witnesses = event.witnesses ?? [];
  const unseen = store.lens && !witnesses.includes(store.lens);
  const told = unseen && cell?.answer === "told";
  const recalled = store.recalled?.has(event.seq);
  const classes = ["event", how ?? "", recalled ? "recalled" : "", words.style === "failed" ? "failed" : "", unseen && !told ? "unseen" : "", told ? "known" : "", event.seq === store.cursor ? "current" : ""];
  const seen = store.facts.own ? null : witnessed(store, witnesses);
  const asked = !store.facts.own && store.rights.prompts !== false && (event.body.kind === "episode.acted" || (event.body.kind === "machinery.failed" && event.actor));
  return el("article", { class: classes.filter(Boolean).join(" "), "data-seq": String(event.seq) },
    el("time", { datetime: event.at, title: `#${event.seq}, ${event.at}` }, el("a", { href: address(event.seq), tabindex: "-1", "aria-label": `${clock(event.at)}, the address of #${event.seq}`, onclick: linked }, clock(event.at))),
    el("div", {}, how ? el("small", { class: "manner" }, how) : null, said(words), heard.length ? el("div", { class: "hears" }, `◌ overheard by ${heard.join("; ")}`) : null, recalled ? el("div", { class: "hears" }, "↩ came to mind") : null, seen, unseen && !told ? el("span", { class: "aloud" }, `unseen by ${store.lens}`) : null, told ? el("div", { class: "hears" }, `◐ ${store.lens} was told of it by ${cell.by ?? "a page"} at #${cell.at}`) : null),
    asked ? el("button", { class: "why", type: "button", "aria-label": `Why? What ${event.actor} was given at #${event.seq}`, title: "What the model was given", onclick: () => store.open("prompt", { picked: event }) }, "why?") : el("span"));
}

/** The words; of long ones, such as what somebody remembers, the first line, until one asks. */
function said(words) {
  const who = words.who ? el("span", { class: "who" }, words.who, words.colon ? ": " : " ") : null;
  const [first, ...rest] = (words.text ?? "").split("\n");
  if (words.style !== "thought" || !rest.length) return el("p", { class: words.style ?? "" }, who, el("bdi", {}, words.text));
  return el("details", { class: words.style }, el("summary", {}, who, el("bdi", {}, `${first} …`)), el("p", {}, el("bdi", {}, rest.join("\n"))));
}
