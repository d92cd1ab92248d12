// The story up to the cursor. Only a window of it is in the page, however long the world is.

import { about } from "./api.js";
import { el, replace } from "./dom.js";
import * as own from "./own.js";
import { clock, counted, day, sentence } from "./words.js";

const WINDOW = 120;
const MOST = 600;

export function transcript(store) {
  const node = el("section", { class: "story", role: "log", "aria-label": "Transcript", tabindex: "0" });
  let events = [];
  let cells = new Map();
  let asking = null;
  let before = 0;

  /** The newest events up to the cursor. */
  async function load() {
    asking?.abort();
    const mine = (asking = new AbortController());
    const options = { signal: mine.signal };
    try {
      const page = await about(store.world, "events", { upto: store.cursor, limit: WINDOW, as: reader() }, options);
      if (mine.signal.aborted) return;
      events = page.events.map(seen);
      before = page.before;
      draw({ end: true });
      await know(options);
    } catch (problem) {
      if (problem.name !== "AbortError") replace(node, el("p", { class: "error panel" }, problem.message));
    }
  }

  const seen = (event) => own.event(event, store.only);
  const reader = () => store.only ?? (store.hide ? store.lens : null);

  /** What the lens was told of, of the events in the window. */
  async function know(options) {
    cells = new Map();
    if (store.lens && !store.facts.own && events.length) {
      const found = await about(store.world, "knowledge", { at: `#${store.cursor}`, about: `${events[0].seq}-${events.at(-1).seq}`, who: store.lens, limit: 1000 }, options);
      if (options?.signal?.aborted) return;
      cells = new Map(found.rows.map((row) => [row.event.seq, row.cells[0]]));
      draw({});
    }
  }

  async function earlier() {
    const page = await about(store.world, "events", { upto: events[0].seq - 1, limit: WINDOW, as: reader() });
    const height = node.scrollHeight;
    events = [...page.events.map(seen), ...events].slice(0, MOST);
    before = page.before;
    draw({});
    node.scrollTop += node.scrollHeight - height;
    await know();
  }

  function draw({ end }) {
    const lines = [];
    let place = null;
    let scenario = null;
    for (const event of events) {
      if (event.body.kind === "episode.opened") {
        place = event.place;
        scenario = event.body.scenario;
        lines.push(heading(event));
      } else if (!(event.body.kind === "episode.narrated" && event.body.text === scenario)) {
        const words = sentence(event, place);
        if (words) lines.push(line(store, event, words, cells.get(event.seq)));
      }
    }
    const more = before > 0 ? el("button", { class: "more", type: "button", onclick: earlier }, `${counted(before, "earlier event")}`) : null;
    const none = lines.length ? null : el("p", { class: "soft panel" }, "Nothing has happened yet.");
    replace(node, more, lines, none);
    if (end) node.scrollTop = node.scrollHeight;
  }

  /** Go along: what has just happened is added, without asking again. */
  function happened() {
    if (!store.follow) return;
    const low = node.scrollHeight - node.scrollTop - node.clientHeight < 80;
    const seen = store.fresh.filter((event) => !reader() || (event.witnesses ?? []).includes(reader()));
    events = [...events, ...seen].slice(-MOST / 2);
    draw({ end: low });
  }

  return { node, started: load, moved: load, looked: load, happened, close: () => asking?.abort() };
}

function heading(event) {
  const { body } = event;
  const name = body.name?.includes(" ") && body.name !== body.scenario ? `${body.name}. ` : "";
  const place = event.place && event.place !== body.scenario ? `, ${event.place}` : "";
  return el("div", { class: "episode", role: "heading", "aria-level": "2", "data-seq": String(event.seq) }, `E${event.episode} · ${name}${day(event.at)}${place}`, el("small", {}, body.scenario));
}

function line(store, event, words, cell) {
  const witnesses = event.witnesses ?? [];
  const unseen = store.lens && !witnesses.includes(store.lens);
  const told = unseen && cell?.answer === "told";
  const classes = ["event", words.style === "failed" ? "failed" : "", unseen && !told ? "unseen" : "", told ? "known" : "", event.seq === store.cursor ? "current" : ""];
  const seen = store.facts.characters.length <= 20 && !store.facts.own ? el("span", { class: "seen", title: `witnessed by ${witnesses.join(", ") || "nobody"}` }, marks(store.letters, witnesses)) : null;
  const asked = !store.facts.own && (event.body.kind === "episode.acted" || (event.body.kind === "machinery.failed" && event.actor));
  return el("article", { class: classes.filter(Boolean).join(" "), "data-seq": String(event.seq) },
    el("time", { datetime: event.at, title: `#${event.seq}, ${event.at}` }, clock(event.at)),
    el("div", {}, said(words), seen, told ? el("div", { class: "hears" }, `◐ ${store.lens} was told of it by ${cell.by ?? "a page"} at #${cell.at}`) : null),
    asked ? el("button", { class: "why", type: "button", title: "What the model was given", onclick: () => store.open("prompt", { picked: event }) }, "why?") : el("span"));
}

/** The words; of long ones, such as what somebody remembers, the first line, until one asks. */
function said(words) {
  const who = words.who ? el("span", { class: "who" }, words.who, words.colon ? ": " : " ") : null;
  const [first, ...rest] = (words.text ?? "").split("\n");
  if (words.style !== "thought" || !rest.length) return el("p", { class: words.style ?? "" }, who, words.text);
  return el("details", { class: words.style }, el("summary", {}, who, `${first} …`), el("p", {}, rest.join("\n")));
}

/** A letter for each who witnessed it, in a place of its own. */
function marks(letters, witnesses) {
  const there = new Set(witnesses);
  return [...letters].map(([name, letter]) => (there.has(name) ? letter : el("b", {}, "·")));
}
