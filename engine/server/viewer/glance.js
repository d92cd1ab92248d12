// Worlds at a glance: which of them are shown, in which order, and in which groups; forks under their parents.

import { el, option } from "./dom.js";
import { counted, dollars } from "./words.js";

const ORDERS = { "": "in which they began", newest: "last played first", name: "by name", events: "most events first", failures: "most failures first" };
const STATES = { "": "all", playing: "being played", suspended: "suspended", failures: "with failures", forks: "forks" };
const GROUPS = { "": "forks under their parents", title: "by title", state: "by state", run: "by run", exam: "by exam", arm: "by exam and arm", origin: "by origin" };

const ORIGINS = { played: "Played", imported: "Imported", fork: "Forks", exam: "Exams" };

const by = {
  newest: (one, other) => (other.recorded ?? "").localeCompare(one.recorded ?? ""),
  name: (one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }),
  events: (one, other) => (other.head ?? 0) - (one.head ?? 0),
  failures: (one, other) => (other.failures ?? 0) - (one.failures ?? 0),
};

const chosen = (options, value) => (Object.hasOwn(options, value) ? value : "");

/** What is asked for, as the address says it. */
export const picked = ({ find = "", order = "", only = "", group = "" }) => ({ find, order: chosen(ORDERS, order), only: chosen(STATES, only), group: chosen(GROUPS, group) });

/** Where one says what is looked for. */
export function picking(asked, changed) {
  const select = (name, label, options) => el("label", {}, label, el("select", { name, onchange: (event) => changed({ [name]: event.target.value }) }, Object.entries(options).map(([value, text]) => option(value, text, value === asked[name]))));
  return el("search", { class: "picking" },
    el("label", {}, "Find", el("input", { type: "search", name: "find", value: asked.find, placeholder: "words of a name, title, or what was said last", oninput: (event) => changed({ find: event.target.value }) })),
    select("only", "Show", STATES), select("order", "Order", ORDERS), select("group", "Groups", GROUPS));
}

const runOf = (world, runs) => runs.find((run) => run.worlds.includes(world.name));

function state(world, runs) {
  const playing = runs.some((run) => run.state === "playing" && run.worlds.includes(world.name) && !run.ended.some((end) => end.world === world.name));
  return playing ? "playing" : world.episodes > world.closed ? "suspended" : "";
}

function fits(world, { find, only }, runs) {
  const words = `${world.name} ${world.title} ${world.parent ?? ""} ${world.last}`.toLowerCase();
  if (!find.toLowerCase().split(/\s+/).every((word) => words.includes(word))) return false;
  if (only === "failures") return world.failures > 0;
  return only === "forks" ? world.parent !== null : !only || state(world, runs) === only;
}

/** The worlds that are asked for, as sections of cards; and how many these are. */
export function shown(worlds, runs, asked, exams = []) {
  const fitting = worlds.filter((one) => fits(one, asked, runs));
  if (asked.order) fitting.sort(by[asked.order]);
  const titles = new Map();
  for (const one of worlds) titles.set(one.title, (titles.get(one.title) ?? 0) + 1);
  const card = (one, under = []) => world(one, runs, titles.get(one.title) > 1, under);
  if (!asked.group) return { count: fitting.length, sections: [cards(tree(fitting, card))] };
  const heads = { origin: (one) => ORIGINS[one.origin] ?? one.origin, title: (one) => one.title, state: (one) => STATES[state(one, runs) || "none"] ?? "neither played nor suspended", run: (one) => ran(one, runs), exam: (one) => examined(one, exams), arm: (one) => examined(one, exams, true) };
  const groups = new Map();
  for (const one of fitting) {
    const head = heads[asked.group](one);
    groups.set(head, [...(groups.get(head) ?? []), one]);
  }
  return { count: fitting.length, sections: [...groups].map(([head, some]) => el("section", {}, el("h2", {}, head, " ", el("small", {}, counted(some.length, "world"))), cards(some.map((one) => card(one))))) };
}

/** Of which run a world is: of this server's, or of one that was started elsewhere, by its plan. */
function ran(one, runs) {
  const run = runOf(one, runs);
  if (run) return `Run ${run.id}, ${run.state}${one.plan ? `: ${one.plan}` : ""}`;
  return one.plan ? `Plan ${one.plan}` : "Of no run";
}

/** In which exam a world is, and by which of its arms. */
function examined(one, exams, arms = false) {
  const exam = exams.find(({ worlds }) => Object.hasOwn(worlds, one.name));
  if (!exam) return "In no exam of this server";
  return `Exam ${exam.name}${arms ? `, ${exam.worlds[one.name] || "several arms"}` : ""}`;
}

const cards = (items) => el("ul", { class: "cards" }, items);

/** Forks stand in the card of the world that they are of, where that is shown. */
function tree(worlds, card) {
  const there = new Set(worlds.map((one) => one.name));
  const children = new Map();
  for (const one of worlds) if (there.has(one.parent)) children.set(one.parent, [...(children.get(one.parent) ?? []), one]);
  const forks = (of) => (children.get(of.name) ?? []).map((one) => ({ one, forks: forks(one) }));
  return worlds.filter((one) => !there.has(one.parent)).map((one) => card(one, forks(one)));
}

/** What something cost; what is not known is never shown as nothing. */
export const cost = (money) => (money === null ? "cost unknown" : dollars(money));

const address = (one) => `/?world=${encodeURIComponent(one.name)}`;

/** Worlds of one title are told apart by their names. */
function world(one, runs, alike, forks) {
  const now = state(one, runs);
  const waits = runs.flatMap((run) => run.waits.filter((wait) => wait.world === one.name).map((wait) => wait.character));
  const last = one.recorded ? new Date(one.recorded).toLocaleString() : "";
  return el("li", { class: "card" },
    el("h3", { title: one.title }, el("a", { href: address(one), "data-go": true }, alike ? `${one.name}: ${one.title}` : one.title)),
    el("div", { class: "row" }, alike ? null : el("small", {}, one.name), now ? el("span", { class: `pill ${now}` }, waits.length ? `waits for ${waits.join(", ")}` : now) : null,
      one.parent ? el("span", { class: "pill" }, `fork of ${one.parent}`) : null),
    one.last ? el("p", { class: "last" }, one.last) : null,
    one.head === null ? el("small", {}, "A seat of it is taken: what happens in it is not counted here.") : el("small", {}, `${counted(one.closed, "episode")}, ${counted(one.turns, "turn")}, ${counted(one.head, "event")}, ${counted(one.characters, "character")}, ${cost(one.money)}`),
    one.failures ? el("div", {}, el("a", { class: "error", href: `${address(one)}&panel=calls`, "data-go": true }, counted(one.failures, "failure")), one.why ? el("small", { class: "error why-not" }, ` ${one.why}`) : null) : null,
    el("div", {}, el("small", {}, last)),
    forks.length ? forked(forks, runs, `Forks of ${one.name}`) : null);
}

const forked = (forks, runs, label) => el("ul", { class: "forks", "aria-label": label }, forks.map(({ one, forks: further }) => el("li", {},
  el("a", { href: address(one), "data-go": true }, one.name), " ",
  el("small", {}, one.head === null ? "a seat of it is taken" : [state(one, runs), counted(one.head, "event")].filter(Boolean).join(", ")),
  one.failures ? el("small", { class: "error" }, `, ${counted(one.failures, "failure")}${one.why ? `: ${one.why}` : ""}`) : null,
  further.length ? forked(further, runs, `Forks of ${one.name}`) : null)));
