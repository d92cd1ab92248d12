// The story up to the cursor. Only a window of it is in the page, however long the world is.

import { about } from "./api.js";
import { WINDOW } from "./early.js";
import { el, replace } from "./dom.js";
import { beside, telling } from "./line.js";
import * as own from "./own.js";
import { reader, shown } from "./steps.js";
import { counted } from "./words.js";

const FEW = 12; // while time is dragged: as many as there is room for
const FIRST = 24; // drawn at once: as many as there is room for
const LATER = 60; // ms until the others are drawn: what is to be seen is seen first
const OFTEN = 50; // ms between two looks while time is dragged, at least
const MOST = 600;

const seenFirst = () => new Promise((done) => setTimeout(done, LATER));

export function transcript(store) {
  const node = el("section", { class: "story", role: "log", "aria-label": "Transcript", tabindex: "0" });
  let events = [];
  let meanwhile = null; // what happens while they are asked for
  let cells = new Map();
  let asking = new AbortController(); // what belongs to where one is: aborted when one goes elsewhere
  let filling = false;
  let [looking, stale] = [false, false];
  let trouble = ""; // why no more came
  let lines = null; // what makes them, of what stands there and of what comes next
  store.folded = new Set();
  store.shown = (event) => shown(store, event);
  let before = 0;
  let after = 0; // events up to the cursor that are not in the window any more

  /** The newest events up to the cursor. */
  async function load() {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    meanwhile = [];
    try {
      const page = await newest(signal);
      if (signal.aborted) return;
      events = [...page.events.map(seen), ...meanwhile];
      meanwhile = null;
      before = page.before;
      after = 0;
      trouble = "";
      if (events.length > FIRST) {
        draw({ end: true, first: true });
        await seenFirst();
        if (signal.aborted) return;
      }
      draw({ end: true });
      if (!store.dragged) await know(signal);
    } catch (problem) {
      if (signal.aborted) return;
      meanwhile = lines = null;
      replace(node, el("div", { class: "panel" }, el("p", { class: "error", role: "alert" }, problem.message), el("button", { type: "button", onclick: load }, "Try again")));
    }
  }

  /** The page that was asked for with the world, if nothing had happened in between; else another. */
  async function newest(signal) {
    const [early, upto] = [store.early, store.cursor];
    store.early = null;
    const page = await early?.catch(() => null); // asked again below, and told
    if (page && own.upto(page) === upto) return page;
    return about(store.world, "events", { upto, limit: store.dragged ? FEW : WINDOW, as: reader(store) }, { signal });
  }

  /** While time is dragged: one page after another, each of where one is by then. */
  async function dragged() {
    stale = true;
    if (looking) return;
    looking = true;
    while (stale && store.dragged) {
      stale = false;
      await load();
      await new Promise((done) => setTimeout(done, OFTEN));
    }
    looking = false;
  }

  const seen = (event) => own.event(event, store.only);

  /** Whoever comes to an end of what is in the page is given more: that is all there ever is of a long story. */
  function scrolled() {
    if (trouble) return; // asked again where one says so
    if (before > 0 && node.scrollTop < 60) more(earlier);
    else if (after > 0 && node.scrollHeight - node.scrollTop - node.clientHeight < 60) more(later);
  }

  /** One page at a time, and none for where one is no more. */
  async function more(fill) {
    if (filling) return;
    const { signal } = asking;
    filling = true;
    trouble = "";
    try {
      await fill(signal);
    } catch (problem) {
      if (!signal.aborted) {
        trouble = problem.message;
        draw({});
      }
    }
    filling = false;
  }

  /** What the lens was told of, of the events in the window. */
  async function know(signal) {
    cells = new Map();
    if (store.lens && !store.facts.own && events.length) {
      const found = await about(store.world, "knowledge", { at: `#${store.cursor}`, about: `${events[0].seq}-${events.at(-1).seq}`, who: store.lens, limit: 1000 }, { signal });
      if (signal.aborted) return;
      cells = new Map(found.rows.map((row) => [row.event.seq, row.cells[0]]));
      draw({});
    }
  }

  async function earlier(signal) {
    const page = await about(store.world, "events", { upto: events[0].seq - 1, limit: WINDOW, as: reader(store) }, { signal });
    if (signal.aborted) return;
    const height = node.scrollHeight;
    const all = [...page.events.map(seen), ...events];
    events = all.slice(0, MOST);
    before = page.before;
    after += all.length - events.length;
    draw({});
    node.scrollTop += node.scrollHeight - height;
    await know(signal);
  }

  /** What was let go as one went back. */
  async function later(signal) {
    const page = await about(store.world, "events", { after: events.at(-1).seq, upto: store.cursor, limit: WINDOW, as: reader(store) }, { signal });
    if (signal.aborted) return;
    const first = node.querySelector(".later")?.previousElementSibling?.dataset.seq;
    const all = [...events, ...page.events.map(seen)];
    events = all.slice(-MOST);
    before += all.length - events.length;
    after = Math.max(0, after - page.events.length);
    draw({});
    node.querySelector(`[data-seq="${first}"]`)?.scrollIntoView({ block: "end" });
    await know(signal);
  }

  function draw({ end, first }) {
    lines = telling(store, cells);
    const told = lines(first ? events.slice(-FIRST) : events);
    const up = before > 0 && !first ? el("button", { class: "more", type: "button", onclick: () => more(earlier) }, counted(before, "earlier event")) : null;
    const none = told.length ? null : el("p", { class: "soft panel" }, nothing(store));
    replace(node, trouble ? el("p", { class: "error", role: "alert" }, trouble) : null, up, told, none);
    if (after > 0) below();
    if (end) node.scrollTop = node.scrollHeight;
  }

  /** Go along: what has just happened is added, without asking again, and what stands there stays as it is.
      Whoever reads further up than there is room for is told how much more there is. */
  function happened() {
    if (!store.follow) return;
    const come = store.fresh.filter((event) => !reader(store) || (event.witnesses ?? []).includes(reader(store)));
    meanwhile?.push(...come);
    if (meanwhile || !lines) return; // they come with the others
    const low = node.scrollHeight - node.scrollTop - node.clientHeight < 80;
    const full = events.length + come.length > MOST;
    if (after || (full && !low)) {
      after += come.length;
      below();
      return;
    }
    events.push(...come);
    if (full) before += events.splice(0, events.length - MOST / 2).length;
    if (full || come.some(beside) || !node.querySelector("[data-seq]")) draw({});
    else add(come);
    if (low) node.scrollTop = node.scrollHeight;
  }

  function add(come) {
    node.querySelector(".current")?.classList.remove("current");
    node.append(...lines(come));
  }

  /** How much is to be had below what stands there. */
  function below() {
    const says = counted(after, "later event");
    const there = node.querySelector(".later");
    if (there) there.textContent = says;
    else node.append(el("button", { class: "more later", type: "button", onclick: () => more(later) }, says));
  }

  /** Lines are marked, or folded: where one is stays in sight. */
  function marked() {
    draw({});
    node.querySelector(".current")?.scrollIntoView({ block: "nearest" });
  }

  node.addEventListener("wheel", scrolled, { passive: true });
  node.addEventListener("touchend", scrolled, { passive: true });
  return { node, load, dragged, moved: load, looked: load, happened, marked, close: () => asking.abort() };
}

/** Why there is nothing to be read. */
function nothing({ facts, only }) {
  if (facts.exam) return "No story stands here.";
  if (facts.own && !only) return "Nothing has happened yet that all who play have seen. As long as people play, whoever watches is shown nothing else.";
  return "Nothing has happened yet.";
}
