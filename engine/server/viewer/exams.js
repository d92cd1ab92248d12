// Exams at a glance, the table of one, and its cells.

import { get } from "./api.js";
import { go } from "./address.js";
import { el, field, form, option, replace } from "./dom.js";
import { counted, dollars } from "./words.js";

const PAGE = 50;
const FEW = 8; // points that are read at a glance
const SIDE = /\.(first|second)$/; // of one of the two in a scene
const STATES = { "": "all", answered: "answered", failed: "failed", waiting: "not asked yet" };

const path = (name) => `/api/v1/exams/${encodeURIComponent(name)}`;
const address = (values) => `/?${new URLSearchParams(Object.entries(values).filter(([, value]) => value))}`;
const linked = (text, values) => el("a", { href: address(values), "data-go": true }, text);

/** The exams that the server was started with, as cards; nothing, where there are none. */
export async function glance() {
  const found = await get("/api/v1/exams");
  return { found, cards: found.length ? [el("h2", {}, "Exams"), el("ul", { class: "cards" }, found.map(card))] : [] };
}

function card(one) {
  const done = one.answered + one.failed;
  return el("li", { class: "card" },
    el("h3", {}, linked(one.name, { exam: one.name })),
    one.warning ? el("p", { class: "error" }, one.warning) : null,
    el("small", {}, `${counted(one.units, one.unit)}, ${counted(one.arms.length, "arm")}: ${done.toLocaleString()} of ${counted(one.cells, "cell")} done`),
    one.failed ? el("div", {}, el("small", { class: "error" }, `${one.failed.toLocaleString()} failed`)) : null);
}

/** One exam: its table, and below it the cells that the address picks. */
export async function exam(state) {
  const found = await get(path(state.exam));
  return (main, where) => drawn(main, where, state, found);
}

function drawn(main, where, state, { table, compared, kinds: heads, tags }) {
  where.textContent = table.name;
  const cells = el("section", { "aria-label": "Cells", "aria-live": "polite", tabindex: "-1" });
  replace(main, el("h1", {}, table.name),
    table.warning ? el("p", { class: "error", role: "alert" }, table.warning) : null,
    table.remarks.map((remark) => el("p", { class: "toldof" }, remark)),
    el("p", { class: "soft" }, `${counted(table.units, table.unit)}${table.repeats > 1 ? `, each ${table.repeats} times` : ""}, about ${table.material}, kept in ${table.log}. Seed ${table.seed}, whoknew ${table.version}.`),
    scores(table), kinds(table, heads), own(table), said(compared), costs(table),
    el("h2", {}, "Cells"), picking(table, tags, state), cells);
  list(cells, state, Object.keys(table.figures)).then(() => {
    if (!["cell", "arm", "kind", "tag", "state", "differ", "skip"].some((key) => state[key])) return;
    cells.scrollIntoView({ block: "start" });
    cells.focus({ preventScroll: true });
  });
}

const mean = (one) => (one?.mean == null ? "-" : one.mean.toFixed(3) + (one.error == null ? "" : ` ±${one.error.toFixed(3)}`));
const grid = (caption, heads, rows) => el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
  el("table", { class: "figures" }, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows)));
const unsafe = (cell) => (cell.textContent ?? String(cell)).startsWith("unsafe:"); // controls that leak
const row = (cells) => el("tr", unsafe(cells[0]) ? { class: "unsafe" } : {}, cells.map((cell, number) => el(number ? "td" : "th", number ? {} : { scope: "row" }, cell)));

function scores(table) {
  const judged = Object.entries(table.figures);
  const rows = table.rows.map((one) => {
    const done = one.answered + one.failed;
    const means = judged.map(([, arms]) => linked(mean(arms.find((arm) => arm.arm === one.arm)?.micro), { exam: table.name, arm: one.arm }));
    const failed = one.failed ? linked(one.failed.toLocaleString(), { exam: table.name, arm: one.arm, state: "failed" }) : "0";
    return row([linked(one.arm, { exam: table.name, arm: one.arm }), done === one.cells ? done.toLocaleString() : `${done.toLocaleString()} of ${one.cells.toLocaleString()}`, failed, ...means]);
  });
  return grid("Mean ± standard error, clustered by what questions share", ["arm", "cells", "failed", ...judged.map(([score]) => score)], rows);
}

/** By kind; each head says of how many of its questions the figures are. */
function kinds(table, heads) {
  const names = Object.keys(table.kinds);
  if (names.length < 2) return null;
  return Object.entries(table.figures).map(([score, arms]) => grid(`${score}, by kind`, ["arm", ...names.map((kind) => heads[score][kind] ?? kind), "macro"],
    arms.map((one) => row([one.arm, ...names.map((kind) => linked(mean(one.kinds[kind]), { exam: table.name, arm: one.arm, kind })), mean(one.macro)]))));
}

/** What its kind counts beyond what judges give. */
function own(table) {
  const counted = Object.entries(table.own ?? {});
  if (!counted.length) return null;
  return grid("Figures of its own", ["arm", ...counted.map(([name]) => name)],
    table.rows.map((one) => row([one.arm, ...counted.map(([, arms]) => (arms[one.arm] == null ? "-" : Number.isInteger(arms[one.arm]) ? arms[one.arm].toLocaleString() : arms[one.arm].toFixed(3)))])));
}

const said = (compared) => Object.entries(compared).map(([score, pairs]) => (pairs.length
  ? el("details", { open: pairs.length < 8 }, el("summary", {}, `${score}, arm beside arm`), el("ul", {}, pairs.map((pair) => el("li", {}, pair)))) : null));


const costs = (table) => grid("What it took", ["arm", "digest", "calls", "tokens", "money", "judging"],
  table.rows.map((one) => row([one.arm, one.digest, one.calls.toLocaleString(), one.tokens.toLocaleString(), dollars(one.money), dollars(one.judging)])));

/** Which cells are listed: the address says it, so that a list can be sent to somebody. */
function picking(table, tags, state) {
  const arms = table.rows.map((one) => one.arm);
  const select = (name, none, values) => el("select", { name }, option("", none), values.map((one) => option(one, one, one === state[name])));
  const states = el("select", { name: "state" }, Object.entries(STATES).map(([value, text]) => option(value, text, value === (state.state ?? ""))));
  return form([el("div", { class: "row" },
    field("Arm", select("arm", "all", arms)), field("Kind", select("kind", "all", Object.keys(table.kinds))),
    tags.length ? field("Tag", select("tag", "all", tags)) : null, field("State", states),
    field("Differing from", select("differ", "does not matter", arms)))], "Show these", (data) => go(address({ exam: table.name, ...data })));
}

async function list(node, state, figures) {
  const name = state.exam;
  const asked = Object.fromEntries(["arm", "kind", "tag", "state", "differ"].map((key) => [key, state[key]]));
  const skip = Number(state.skip ?? 0);
  try {
    const found = state.cell ? await alone(name, state.cell) : await get(`${path(name)}/cells`, { ...asked, skip: state.skip ?? 0, limit: PAGE });
    const last = found.skipped + found.rows.length;
    const page = (text, to) => linked(text, { exam: name, ...asked, skip: to ? String(to) : "" });
    replace(node,
      el("p", { class: "soft" }, found.rows.length ? `${(found.skipped + 1).toLocaleString()} to ${last.toLocaleString()} of ${counted(found.total, "cell")}` : none(state)),
      found.rows.map((one, number) => listed(name, one, found.beside[number], figures)),
      el("p", { class: "row" }, skip ? page("Before these", Math.max(0, Math.min(skip, found.total) - PAGE)) : null, last < found.total ? page("After these", last) : null));
  } catch (problem) {
    replace(node, el("p", { class: "error", role: "alert" }, problem.message));
  }
}

async function alone(name, key) {
  const { row } = await get(`${path(name)}/cells/${encodeURIComponent(key)}`);
  return { total: 1, skipped: 0, rows: [row], beside: [] };
}

function none({ skip, arm, differ }) {
  if (Number(skip ?? 0)) return "There are none from here on.";
  return differ ? `${arm} and ${differ} differ in no such cell.` : "There are none.";
}

/** A cell; beside it that of the other arm, where two differ. */
function listed(name, one, other, figures) {
  const beside = (cell) => (cell === one ? other : one);
  return el("article", { class: "card cell" },
    el("p", {}, one.character ? el("strong", {}, `${one.character}: `) : null, one.question),
    [one, other].filter(Boolean).map((cell) => el("div", {}, linked(cell.arm, place(name, cell)), " ", answer(cell), " ", brief(cell, beside(cell), figures))),
    el("small", {}, el("bdi", {}, one.world), ` #${one.seq}, `, el("bdi", {}, one.kind), `${one.repeat > 1 ? `, repeat ${one.repeat}` : ""}`));
}

/** A cell stands beside its world, at its cursor, seen through the eyes of who was asked. */
const place = (name, cell) => ({ world: cell.world, at: `#${cell.seq}`, as: cell.character, panel: "cell", exam: name, cell: cell.key });

export function answer(cell) {
  if (cell.failure != null) return el("span", { class: "error" }, `failed: ${cell.failure}`);
  return cell.answer == null ? el("span", { class: "soft" }, "not asked yet") : el("bdi", {}, cell.answer);
}

/** The points of a cell. Of very many those that its exam's table is about, or else those of both sides of
    a scene; beside another cell those on which the two differ. The others unfold. */
export function brief(cell, other, figures = []) {
  const names = Object.keys(cell.scores ?? {});
  if (names.length <= FEW) return el("small", {}, points(cell));
  const known = names.filter((name) => figures.includes(name));
  const meant = (known.length ? known : names.filter((name) => !SIDE.test(name))).filter((name) => !other || cell.scores[name] !== other.scores?.[name]);
  const few = Object.fromEntries(meant.slice(0, FEW).map((name) => [name, cell.scores[name]]));
  return [el("small", {}, points({ ...cell, scores: few })), el("details", {}, el("summary", {}, `All ${counted(names.length, "score")}`), el("small", {}, points(cell)))];
}

export const points = (cell) => [
  ...Object.entries(cell.scores ?? {}).map(([name, score]) => `${name} ${Number(score.toFixed(3))}`),
  ...Object.keys(cell.unreviewed ?? {}).map((judge) => `${judge} gave no verdict`)].join(", ");
