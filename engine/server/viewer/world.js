// One world: where one is in it, through whose eyes, and what is beside it.

import { about } from "./api.js";
import { write } from "./address.js";
import { el, option, plain, replace } from "./dom.js";
import * as own from "./own.js";
import { finding } from "./finding.js";
import { followed } from "./live.js";
import { notice } from "./mentions.js";
import { initials, legend } from "./people.js";
import { sidebar } from "./sidebar.js";
import { steps } from "./steps.js";
import { timeline } from "./timeline.js";
import { transcript } from "./transcript.js";

const SPEEDS = [1, 4, 20];

/** A world that has been asked about, once it is known where in it one is: how it is drawn. */
export async function world(state, rights, opening) {
  const facts = own.world(await opening.facts);
  const at = state.at ?? "end";
  const cursor = at === "end" ? facts.head : await moment(state, facts.title);
  return (main, where, link) => drawn(main, where, link, { state, rights, facts, cursor, follow: at === "end", early: opening.lines });
}

/** The moment that an address names. Where there is none, there is the world itself. */
async function moment({ world, at, ...others }, title) {
  try {
    return (await about(world, "cursor", { at })).cursor;
  } catch (problem) {
    problem.instead = el("a", { href: `/?${new URLSearchParams({ world, ...others })}`, "data-go": true }, `${title} at its end`);
    throw problem;
  }
}

function drawn(main, where, link, { state, rights, facts, cursor, follow, early }) {
  const name = state.world;
  const only = facts.own ? facts.character : null;
  const lens = only ?? (facts.characters.includes(state.as) ? state.as : null);
  const unknown = [];
  if (state.as && state.as !== lens) unknown.push(notice(only ? `You see this world as ${only}, not as “${state.as}”.` : `There is no “${state.as}” in this world: you see it as the director, who sees all.`));
  if (facts.exam) unknown.push(el("p", { class: "notice", role: "status" }, `“${name}” is where an exam is kept, and no story: what was asked, answered and judged stands in its table. `, el("a", { href: `/?${new URLSearchParams({ exam: name })}`, "data-go": true }, "Open the exam")));
  if (facts.own) write({ as: only });
  const store = {
    world: name, facts, rights, only, lens, cursor, head: facts.head, hide: state.hide === "1",
    follow, early, panel: state.panel ?? (facts.own ? "seat" : "knows"), about: state.about ?? "",
    asked: { which: state.which ?? "", who: state.who ?? "", span: state.span ?? "", order: state.order ?? "" },
    controls: rights.right === "control", picked: spoken(state.why), turn: null, said: null, idle: false,
    letters: initials(facts.characters), exam: state.exam ?? null, cell: state.cell ?? null,
    fact: /^\d+$/.test(state.fact ?? "") ? Number(state.fact) : null,
  };
  const parts = [];
  const times = []; // of these, what shows where in time one is
  const tell = (what) => parts.forEach((part) => part[what]?.());

  /** Go to a cursor; at the end, along with whatever happens. While it is dragged time moves, and a few lines
      of the story come along; all else where it is let go. */
  store.to = (seq, { step = false, drag = false } = {}) => {
    store.cursor = Math.max(1, Math.min(store.head, Math.round(seq)));
    store.follow = store.cursor === store.head;
    store.dragged = drag;
    if (drag) {
      for (const part of times) part.moved();
      story.dragged();
      return;
    }
    write({ at: store.follow ? null : `#${store.cursor}` }, { step });
    tell("moved");
  };
  store.look = (who) => {
    store.lens = who || null;
    write({ as: store.lens }, { step: true });
    tell("looked");
  };
  store.open = (panel, more = {}) => {
    const step = panel !== store.panel || Boolean(more.picked);
    Object.assign(store, more, { panel });
    write({ panel, about: store.about, why: panel === "prompt" ? named(store.picked) : null }, { step });
    tell("opened");
  };
  store.tell = tell;
  const trouble = el("p", { class: "error", role: "alert" });
  store.step = steps(store, (problem) => { trouble.textContent = problem?.message ?? ""; });

  where.title = where.textContent = plain(facts.title);
  const people = el("select", { "aria-label": "Lens: through whose eyes", disabled: facts.own, onchange: (event) => store.look(event.target.value) },
    facts.own ? [option(only ?? "", only ?? "What happened in public")] : [option("", "Director: sees all", !lens), ...facts.characters.map((who) => option(who, who, who === lens))]);
  const hide = el("button", { type: "button", "aria-pressed": String(store.hide), onclick: () => {
    store.hide = !store.hide;
    hide.setAttribute("aria-pressed", String(store.hide));
    write({ hide: store.hide ? "1" : null });
    tell("looked");
  } }, "Hide what is unseen");
  const player = play(store);
  const live = el("button", { type: "button", onclick: () => store.to(store.head, { step: true }) }, "Live");
  const whoswho = el("div");
  const line = timeline(store);
  const story = transcript(store);
  const side = sidebar(store);
  if (state.panel && !side.has(state.panel)) unknown.push(notice(`There is no panel “${state.panel}” here: one of ${side.names.join(", ")}.`));
  const at = {
    moved() { live.setAttribute("aria-pressed", String(store.follow)); },
    happened() { at.moved(); at.cast(); },
    /** Who is who; asked again when somebody has come. */
    cast() {
      if (store.letters.size !== facts.characters.length) store.letters = initials(facts.characters);
      if (whoswho.childElementCount && whoswho.querySelectorAll("li").length === store.letters.size) return;
      replace(whoswho, facts.own || !store.letters.size ? null : legend(store));
    },
    looked() { hide.disabled = !store.lens || facts.own; },
  };
  /** Colour whoever knows of an event. */
  store.colour = (seq) => {
    store.fact = seq;
    write({ fact: seq });
    tell("coloured");
  };
  times.push(line, at);
  parts.push(...times, story, side);
  const finder = finding(store);
  const tools = el("div", { class: "tools" }, people, hide, finder.node, el("span", { class: "grow" }), ...player.buttons, live);
  const kind = !side.names.length ? "world alone" : only && side.has("seat") ? "world mine" : "world";
  replace(main, unknown, el("div", { class: kind },
    el("section", { class: "time", "aria-label": "Time" }, tools, trouble, line.node, whoswho, finder.list), story.node, side.node));
  at.moved();
  at.cast();
  at.looked();
  tell("started");
  const keys = (event) => key(event, store, player);
  addEventListener("keydown", keys);
  const follower = followed(store, link, tell);
  let left = false;
  let stop = () => {};
  story.load().then(() => { // what one reads comes before what takes long
    if (left) return;
    line.load();
    stop = earlier(store, line.happened);
  });
  const sized = new ResizeObserver(() => { if (store.follow) story.node.scrollTop = story.node.scrollHeight; });
  if (only) sized.observe(story.node); // a player's form takes room from the story as it grows
  const root = document.documentElement.style;
  const above = new ResizeObserver(([{ target }]) => root.setProperty("--time", `${target.offsetHeight}px`));
  above.observe(main.querySelector(".time"));
  return () => {
    left = true;
    stop();
    sized.disconnect();
    above.disconnect();
    root.removeProperty("--time");
    removeEventListener("keydown", keys);
    player.stop();
    follower.close();
    side.close();
    story.close?.();
    line.close();
  };
}

/** A turn of somebody in the address: E5.T3.Vera. */
const named = (event) => (event?.actor ? `E${event.episode}.T${event.turn ?? 0}.${event.actor}` : null);

function spoken(text) {
  const [, episode, turn, actor] = text?.match(/^E(\d+)\.T(\d+)\.(.+)$/) ?? [];
  return actor ? { episode: Number(episode), turn: Number(turn), actor } : null;
}

/** The episodes before those that a world came with, a page at a time, each told as it comes. */
function earlier(store, come) {
  const { facts, world } = store;
  let left = false;
  async function ask() {
    while (!left && facts.episodes[0]?.number > 1) {
      const page = await about(world, null, { before: facts.episodes[0].number, limit: 1000 });
      if (!page.episodes.length) return;
      facts.episodes.unshift(...page.episodes);
      come();
    }
  }
  ask().catch((problem) => { if (!left) console.warn(problem.message); });
  return () => { left = true; };
}

/** Played on at a speed: so many things a second that somebody could see. */
function play(store) {
  let timer = null;
  let stepping = false;
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "Play"; };
  const tick = async () => {
    if (stepping) return;
    stepping = true;
    await store.step(1);
    stepping = false;
    if (store.cursor >= store.head) stop();
  };
  const start = () => {
    if (store.cursor >= store.head) store.to(1);
    timer = setInterval(tick, 1000 / Number(speed.value));
    button.textContent = "Pause";
    tick();
  };
  const toggle = () => (timer ? stop() : start());
  const button = el("button", { type: "button", onclick: toggle }, "Play");
  const speed = el("select", { "aria-label": "Speed", onchange: () => timer && (stop(), start()) }, SPEEDS.map((one) => option(String(one), `${one}/s`, one === 4)));
  return { buttons: [button, speed], toggle, stop };
}

/** The keyboard shortcuts of a world: what each key does. */
function key(event, store, player) {
  if (event.target.closest?.("input, textarea, select, button, [role=slider]") && event.key === " ") return;
  if (event.target.closest?.("input, textarea, select") || event.metaKey || event.ctrlKey || event.altKey) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (event.key in steps) {
    const way = steps[event.key];
    if (event.shiftKey) store.to(episode(store, way));
    else store.step(way);
  } else if (event.key === "Home") store.step(0);
  else if (event.key === "End") store.to(store.head);
  else if (event.key === " ") player.toggle();
  else return;
  event.preventDefault();
}

/** The end of the episode before, or of the one after. */
function episode(store, way) {
  const ends = store.facts.episodes.map((one) => one.last ?? store.head);
  if (way > 0) return ends.find((end) => end > store.cursor) ?? store.head;
  return ends.findLast((end) => end < store.cursor) ?? 1;
}
