// One cell of an exam, beside the transcript at its cursor: all that led to its answer.

import { get } from "./api.js";
import { calls } from "./calls.js";
import { el, replace } from "./dom.js";
import { answer, brief, points } from "./exams.js";
import { failure, link, told } from "./mentions.js";
import { counted } from "./words.js";

export function cell(store, panel) {
  async function load() {
    replace(panel, el("p", { class: "soft" }, "Making its prompts again ..."));
    try {
      const found = await get(`/api/v1/exams/${encodeURIComponent(store.exam)}/cells/${encodeURIComponent(store.cell)}`);
      replace(panel, parts(store, found));
    } catch (problem) {
      replace(panel, el("p", {}, home(store)), failure(problem));
    }
  }
  load();
  return {};
}

const home = (store) => el("a", { href: `/?exam=${encodeURIComponent(store.exam)}`, "data-go": true }, store.exam);

function parts(store, { row, shown, mind }) {
  const head = el("p", {}, home(store), el("span", { class: "soft" }, `, arm ${row.arm}, unit ${row.unit}, repeat ${row.repeat}`));
  return shown ? [head, asked(store, row, shown, mind)] : [head, played(row)];
}

/** A scene: what led to it is the transcript. */
const played = (row) => [
  el("p", {}, row.question), el("p", {}, answer(row)), brief(row),
  Object.entries(row.reasons ?? {}).map(([judge, reason]) => el("p", {}, el("strong", {}, `${judge}: `), reason)),
];

function asked(store, row, shown, mind) {
  const { question } = shown;
  return [
    el("h2", {}, `${row.character} at `, link(store, shown.cursor)),
    el("p", {}, question.question),
    question.choices?.length ? el("ul", {}, question.choices.map((choice) => el("li", {}, choice, choice === question.correct ? " (right)" : ""))) : null,
    question.reference != null ? el("p", { class: "soft" }, `Reference: ${question.reference}`) : null,
    el("h2", {}, "The answer"), el("p", {}, answer(row)),
    shown.rests_on.map((event) => el("p", {}, "rests on ", link(store, event.seq), " ", told(event))),
    shown.verdicts.map((one) => verdict(one)),
    shown.evidence.length ? [el("h2", {}, "The evidence"), shown.evidence.map((some, number) => some.map((seen) => evidence(store, seen, number + 1)))] : null,
    el("h2", {}, `What came to mind: ${counted(mind, "event")}`),
    shown.came_to_mind.map((event) => el("p", {}, link(store, event.seq), " ", told(event))),
    shown.memory.map((note) => remembered(store, note)),
    mind > shown.came_to_mind.length ? el("p", { class: "soft" }, `and ${(mind - shown.came_to_mind.length).toLocaleString()} more`) : null,
    shown.step ? bookmarks(store, shown.step) : null,
    calls(shown.calls),
  ];
}

/** A note that was derived for the exam, and what it was written from. */
function remembered(store, note) {
  const [first] = note.sources;
  const from = first ? [" written from ", link(store, first.seq), ` on, ${counted(note.sources.length, "event")}`] : [];
  return el("p", {}, el("strong", {}, `remembered (${note.strategy})`), ", of all up to ", link(store, note.upto), `: ${note.text} `, el("span", { class: "soft" }, ...from));
}

/** The step by which bookmarks came to mind: which, where each came from, what was read for it. */
function bookmarks(store, step) {
  const each = step.bookmarks.map((one) => {
    const remarks = [
      one.origin, one.asked && `asked as: ${one.asked}`, one.derived_from && `derived from ${one.derived_from}: ${one.parent}`,
      (one.new || one.read || one.origin !== "near") && `${one.new.toLocaleString()} of ${counted(step.lines, "line")} new, ${one.read.toLocaleString()} read`,
    ].filter(Boolean).join("; ");
    const rests = one.rests_on.slice(0, 8).map((seq) => [" ", link(store, seq)]);
    return el("p", {}, el("span", { class: "soft" }, `${one.number}. ${one.kind} `), el("strong", {}, one.question), ` ${one.answer} `,
      el("span", { class: "soft" }, `(${remarks}${rests.length ? "; rests on" : ""}`, rests, one.rests_on.length > 8 ? ` and ${one.rests_on.length - 8} more)` : ")"));
  });
  const kept = step.passing ? "taken for this question, and not kept" : "kept before an action";
  const saved = step.scratch ? `${step.new.toLocaleString()} of ${counted(step.scratch, "line")} were new, ${step.read.toLocaleString()} read; ${Math.round(100 * (1 - step.new / step.scratch))}% of reading each from the start was saved` : "nothing was asked";
  const took = (cost) => `${counted(cost.calls ?? 0, "call")}, ${counted(cost.tokens ?? 0, "token")}`;
  const costs = step.costs ? ` ${took(step.costs.took)}; from the start: ${took(step.costs.anew)}.` : "";
  return [el("h2", {}, `Bookmarks of ${step.who}, after ${counted(step.lines, "line")}`), each, el("p", { class: "soft" }, `A step ${kept}: ${saved}.${costs}`)];
}

function verdict(one) {
  const failed = !Object.keys(one.scores).length;
  return el("p", { class: failed ? "error" : "" }, el("strong", {}, failed ? `${one.judge} gave no verdict` : `${one.judge}: ${points(one)}`), ` ${one.reason}`);
}

function evidence(store, seen, number) {
  const [text, style] = !seen.witnessed ? ["not witnessed by then", "soft"] : !seen.came_to_mind ? ["missed", "error"] : [seen.named ? "found and named" : "found", "good"];
  return el("p", {}, `${number}. `, el("span", { class: style }, text), " ", link(store, seen.event.seq), " ", told(seen.event));
}
