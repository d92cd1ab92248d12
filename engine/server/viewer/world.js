// One world: where one is in it, through whose eyes, and what is beside it.

import { about, stream } from "./api.js";
import { write } from "./address.js";
import { el, option, replace } from "./dom.js";
import * as own from "./own.js";
import { PANELS } from "./panels.js";
import { timeline } from "./timeline.js";
import { transcript } from "./transcript.js";
import { initials } from "./words.js";


const SPEEDS = [1, 4, 20];

export async function world(main, where, link, state, rights) {
  const name = state.world;
  const facts = own.world(await about(name));
  const only = facts.own ? facts.character : null;
  const lens = only ?? (facts.characters.includes(state.as) ? state.as : null);
  if (facts.own) write({ as: only });
  const asked = state.at ?? "end";
  const cursor = asked === "end" ? facts.head : (await about(name, "cursor", { at: asked })).cursor;
  const store = {
    world: name, facts, rights, only, lens, cursor, head: facts.head, hide: state.hide === "1",
    follow: asked === "end", panel: state.panel ?? (facts.own ? "seat" : "knows"), about: state.about ?? "",
    asked: { which: state.which ?? "", who: state.who ?? "", span: state.span ?? "" },
    controls: rights.right === "control", picked: null, turn: null, said: null,
    letters: initials(facts.characters), exam: state.exam ?? null, cell: state.cell ?? null,
  };
  const parts = [];
  const tell = (what) => parts.forEach((part) => part[what]?.());

  /** Go to a cursor; at the end, along with whatever happens. */
  store.to = (seq, { step = false } = {}) => {
    store.cursor = Math.max(1, Math.min(store.head, Math.round(seq)));
    store.follow = store.cursor === store.head;
    write({ at: store.follow ? null : `#${store.cursor}` }, { step });
    tell("moved");
  };
  store.look = (who) => {
    store.lens = who || null;
    write({ as: store.lens }, { step: true });
    tell("looked");
  };
  store.open = (panel, more = {}) => {
    Object.assign(store, more, { panel });
    write({ panel, about: store.about });
    tell("opened");
  };
  store.tell = tell;

  where.textContent = `${facts.title}`;
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
  const stand = el("div", { class: "stand" });
  const bands = timeline(store);
  const story = transcript(store);
  const side = sidebar(store);
  const at = {
    moved() {
      const episode = facts.episodes.findLast((one) => one.first <= store.cursor);
      stand.textContent = `#${store.cursor.toLocaleString()} of ${store.head.toLocaleString()}` + (episode ? `  ·  E${episode.number} of ${facts.total}  ·  ${episode.place ?? episode.scenario}` : "");
      live.setAttribute("aria-pressed", String(store.follow));
    },
    happened() { at.moved(); },
    looked() { hide.disabled = !store.lens || facts.own; },
  };
  parts.push(bands, story, side, at);
  const tools = el("div", { class: "tools" }, people, hide, el("span", { class: "grow" }), ...player.buttons, live);
  replace(main, el("div", { class: "world" },
    el("section", { class: "time", "aria-label": "Time" }, tools, bands.node, stand), story.node, side.node));
  at.moved();
  at.looked();
  tell("started");
  const keys = (event) => key(event, store, player);
  addEventListener("keydown", keys);
  const follower = followed(store, link, tell);
  const stop = earlier(store, () => { bands.moved(); at.moved(); });
  return () => {
    stop();
    removeEventListener("keydown", keys);
    player.stop();
    follower.close();
    story.close?.();
  };
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

/** Played on at a speed: so many events a second. */
function play(store) {
  let timer = null;
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "Play"; };
  const start = () => {
    if (store.cursor >= store.head) store.to(1);
    timer = setInterval(() => (store.cursor >= store.head ? stop() : store.to(store.cursor + 1)), 1000 / Number(speed.value));
    button.textContent = "Pause";
  };
  const toggle = () => (timer ? stop() : start());
  const button = el("button", { type: "button", onclick: toggle, "aria-label": "Play or pause" }, "Play");
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
    store.to(event.shiftKey ? episode(store, way) : store.cursor + way);
  } else if (event.key === "Home") store.to(1);
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

/** Hear of what happens, from where one is; a stream that breaks is taken up again where it broke. */
function followed(store, link, tell) {
  let socket = null;
  let closed = false;
  let tries = 0;
  let from = store.head;
  const say = (text, bad = false) => { link.textContent = text; link.className = bad ? "bad" : ""; };

  function connect() {
    const mine = stream(store.world, from, store.only);
    store.socket = socket = mine;
    socket.onopen = () => { tries = 0; };
    socket.onmessage = ({ data }) => {
      if (mine !== socket) return;
      const message = JSON.parse(data);
      if (message.type === "live") say("live");
      else if (message.type === "events") {
        from = message.upto;
        store.fresh = (message.events ?? []).map((event) => own.event(event, store.only));
        for (const event of store.fresh) noted(store, event);
        const along = store.follow;
        store.head = Math.max(store.head, message.upto);
        if (along) store.cursor = store.head;
        tell("happened");
      } else if (message.type === "turn") { store.turn = message; store.said = null; tell("turned"); }
      else if (message.type === "taken") { store.turn = null; store.said = "done"; tell("turned"); }
      else if (message.type === "refused") { store.said = message.why; tell("turned"); }
      else if (message.type === "bye" && message.again) location.reload();
      else if (message.type === "bye") say(message.why, true);
    };
    socket.onclose = () => {
      if (closed || mine !== socket) return;
      tries += 1;
      say(`the server is gone: trying again (${tries})`, true);
      setTimeout(connect, Math.min(5000, 250 * 2 ** Math.min(tries, 5)));
    };
  }
  connect();
  return { close() { closed = true; socket.close(); link.textContent = ""; } };
}

function noted(store, event) {
  const { facts } = store;
  const newest = facts.episodes.at(-1);
  const come = event.episode > facts.total && facts.own;
  if (event.body.kind === "episode.opened" || come) {
    facts.episodes.push({ number: event.episode, name: event.body.name ?? "", scenario: event.body.scenario ?? "", place: event.place ?? null, at: event.at, first: event.seq, last: null });
    facts.total += 1;
  } else if (event.body.kind === "episode.closed" && newest) newest.last = event.seq;
}

function sidebar(store) {
  const panel = el("div", { class: "panel", role: "tabpanel" });
  const shown = Object.entries(PANELS).filter(([, one]) => one.for(store));
  const tabs = shown.map(([name, one]) => el("button", { type: "button", role: "tab", onclick: () => store.open(name), "data-panel": name }, one.title));
  const node = el("section", { class: "side", "aria-label": "Beside the story" }, el("div", { class: "tabs", role: "tablist" }, tabs), panel);
  let current = null;
  let part = null;
  const open = () => {
    const name = shown.some(([one]) => one === store.panel) ? store.panel : shown[0][0];
    tabs.forEach((tab) => tab.setAttribute("aria-selected", String(tab.dataset.panel === name)));
    if (name !== current) replace(panel);
    current = name;
    part = PANELS[name].open(store, panel);
  };
  const hand = (what) => () => part?.[what]?.();
  return { node, started: open, opened: open, moved: hand("moved"), looked: hand("looked"), happened: hand("happened"), turned: hand("turned"), picked: hand("picked") };
}


