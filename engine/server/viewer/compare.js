// Side by side: two worlds from where they part, two people, two moments.

import { read, write } from "./address.js";
import { about, followed } from "./api.js";
import { el, field, form, option, replace } from "./dom.js";
import { failure, link, notice, people, told } from "./mentions.js";
import { counted } from "./words.js";

const ROWS = 60;
const MOST = 1000;
const PAUSE = 500; // ms between two looks at what two worlds have apart, at least

const address = (world, seq) => `/?${new URLSearchParams({ world, ...(seq ? { at: `#${seq}` } : {}), panel: "compare" })}`;

export function compare(store, panel) {
  const tree = el("div", { class: "family" });
  const apart = el("div");
  const result = el("div");
  const whose = el("select", { name: "whose", onchange: () => { limit = ROWS; look(); } }, [option("", "all that happened"), ...store.facts.characters.map((who) => option(who, `what ${who} perceived`, who === store.lens))]);
  const [one, other] = [people(store, { name: "one" }), people(store, { name: "other" }, store.facts.characters[1])];
  let worlds = [];
  let pair = null;
  let limit = ROWS;
  let looking = false;
  let stale = false;
  let timer = null;
  let stop = () => {};
  let gone = false;

  /** The family, and which two of it are compared. */
  async function begin() {
    worlds = (await about(store.world, "forks", { limit: MOST })).worlds;
    const asked = read().other;
    if (asked && (asked === store.world || !worlds.some((world) => world.name === asked))) {
      replace(tree, family(worlds, store.world, null, choose));
      replace(apart, notice(asked === store.world ? "A world is not compared with itself: choose another." : `“${asked}” is no world that shares a past with this one: choose another.`));
      return;
    }
    choose(asked ?? store.facts.parent ?? worlds.findLast((world) => world.parent === store.world)?.name ?? null);
  }

  function choose(name) {
    stop();
    if (gone) return;
    const places = new Map(worlds.map((world, place) => [world.name, place]));
    pair = name === null ? null : [store.world, name].sort((left, right) => places.get(left) - places.get(right));
    write({ other: name === store.facts.parent ? null : name });
    replace(tree, family(worlds, store.world, name, choose));
    stop = name === null ? () => {} : followed(name, look);
    replace(apart, pair ? el("p", { class: "soft" }, "Comparing ...") : el("p", { class: "soft" }, "This world has no fork yet: begin one beside “Fork”."));
    limit = ROWS;
    look();
  }

  /** Look again; what happens meanwhile is looked at when that is done. */
  async function look() {
    stale = true;
    if (!pair || looking || timer || gone) return;
    looking = true;
    stale = false;
    const mine = pair;
    try {
      const found = await about(mine[0], "compare", { other: mine[1], who: whose.value, limit });
      if (!gone && mine === pair) replace(apart, sides(store, found, mine, () => { limit = MOST; look(); }));
    } catch (problem) {
      if (!gone && mine === pair) replace(apart, failure(problem));
    }
    looking = false;
    if (!gone) timer = setTimeout(() => { timer = null; if (stale) look(); }, PAUSE);
  }

  const show = async (values) => {
    replace(result);
    const found = await about(store.world, "compare", { ...values, limit: ROWS });
    const rest = (shown, total) => (total > shown.length ? el("p", { class: "soft" }, `and ${total - shown.length} more`) : null);
    const side = (title, events, total) => [el("h2", {}, `${title}: ${total}`), events.map((event) => el("p", {}, link(store, event.seq), " ", told(event))), rest(events, total)];
    replace(result, el("p", { class: "soft" }, `In both: ${found.both} events.`),
      found.kind === "cursors" ? side(`Between ${found.left} and ${found.right}`, found.only_right, found.total_right) : [side(`Only ${found.left}`, found.only_left, found.total_left), side(`Only ${found.right}`, found.only_right, found.total_right)],
      found.gains.length ? [el("h2", {}, "Told of it"), found.gains.map(({ event, known }) => el("p", {}, link(store, event.seq), " ", told(event), el("span", { class: "toldof" }, ` (${known.character} by ${known.by ?? "a page"} at #${known.at})`)))] : null);
  };
  const alone = Boolean(store.rights.bundle); // its forks are elsewhere
  const otherwise = el("details", { open: alone }, el("summary", {}, "Compare two people, or two moments, of this world"),
    form([field("One", one), field("and the other", other)], "Compare these two, here", (data) => show({ who: `${data.one},${data.other}`, at: `#${store.cursor}` })),
    form([field("From a cursor: #12, E3, E3.T5", el("input", { name: "after", required: true }))], "Compare it with here", (data) => show({ after: data.after, at: `#${store.cursor}` })), result);
  replace(panel, alone ? null : [el("h2", {}, "Forks"), tree, el("label", {}, "Side by side:", whose), apart], otherwise);
  if (!alone) begin().catch((problem) => replace(apart, failure(problem)));
  return { happened: look, close: () => { gone = true; clearTimeout(timer); stop(); } };
}

/** The worlds of one past as a tree: each leads there, or is compared with the one that is shown. */
function family(worlds, here, chosen, choose) {
  const under = new Map();
  const names = new Set(worlds.map((world) => world.name));
  for (const world of worlds) {
    const parent = names.has(world.parent) ? world.parent : null;
    under.set(parent, [...(under.get(parent) ?? []), world]);
  }
  const branch = (parent) => (under.has(parent) ? el("ul", {}, under.get(parent).map(item)) : null);
  const item = (world) => el("li", {},
    world.name === here ? el("strong", { "aria-current": "true" }, world.name) : el("a", { href: address(world.name), "data-go": true }, world.name),
    el("small", {}, world.forked_at ? ` from #${world.forked_at.toLocaleString()} ` : " "),
    world.name === here ? null : el("button", { type: "button", class: "small", "aria-pressed": String(world.name === chosen), "aria-label": `Compare with ${world.name}`, onclick: () => choose(world.name) }, "compare"),
    branch(world.name));
  return branch(null);
}

/** What happened in the one and not in the other, turn beside turn. */
function sides(store, found, [left, right], more) {
  const turns = new Map();
  const put = (event, side) => {
    const key = `E${event.episode}${event.turn ? `.T${event.turn}` : ""}`;
    if (!turns.has(key)) turns.set(key, { event, cells: [[], []] });
    turns.get(key).cells[side].push(event);
  };
  found.only_left.forEach((event) => put(event, 0));
  found.only_right.forEach((event) => put(event, 1));
  const rows = [...turns].sort(([, one], [, other]) => one.event.episode - other.event.episode || one.event.turn - other.event.turn);
  const cell = (events, world) => el("td", {}, events.map((event) => el("p", {}, seqlink(store, world, event.seq), " ", told(event))));
  const head = (name) => el("th", { scope: "col" }, name === store.world ? name : el("a", { href: address(name), "data-go": true }, name));
  const hidden = found.total_left - found.only_left.length + found.total_right - found.only_right.length;
  return [
    el("p", { class: "soft", role: "status" }, `The same up to #${found.shared}. Since then ${counted(found.both, "event")} alike in both, ${found.total_left.toLocaleString()} only in ${left}, ${found.total_right.toLocaleString()} only in ${right}.`),
    rows.length ? el("div", { class: "wide" }, el("table", { class: "sides" }, el("thead", {}, el("tr", {}, el("td"), head(left), head(right))),
      el("tbody", {}, rows.map(([key, { cells }]) => el("tr", {}, el("th", { scope: "row" }, key), cell(cells[0], left), cell(cells[1], right)))))) : null,
    hidden ? el("button", { type: "button", class: "more", onclick: more }, `${hidden.toLocaleString()} more`) : null,
    heard(store, `Told of their past only in ${left}`, found.losses, left), heard(store, `Told of their past only in ${right}`, found.gains, right),
  ];
}

const heard = (store, title, gains, world) => (gains.length ? [el("h2", {}, title), gains.map(({ event, known }) => el("p", {}, seqlink(store, world, event.seq), " ", told(event), el("span", { class: "toldof" }, ` (${known.character} by ${known.by ?? "a page"} at #${known.at})`)))] : null);

const seqlink = (store, world, seq) => (world === store.world ? link(store, seq) : el("a", { href: address(world, seq), "data-go": true, "aria-label": `#${seq} in ${world}` }, `#${seq}`));
