// One cell of an exam, beside the transcript at its cursor: all that led to its answer.

import { get } from "./api.js";
import { calls } from "./calls.js";
import { el, replace } from "./dom.js";
import { answer, points } from "./exams.js";
import { failure, link, told } from "./mentions.js";
import { counted } from "./words.js";

export function cell(store, panel) {
  async function load() {
    replace(panel, el("p", { class: "soft" }, "Making its prompts again ..."));
    try {
      const found = await get(`/api/exams/${encodeURIComponent(store.exam)}/cells/${encodeURIComponent(store.cell)}`);
      replace(panel, parts(store, found));
    } catch (problem) {
      replace(panel, failure(problem));
    }
  }
  load();
  return {};
}

function parts(store, { row, shown, mind }) {
  const head = el("p", {}, el("a", { href: `/?exam=${encodeURIComponent(store.exam)}`, "data-go": true }, store.exam), el("span", { class: "soft" }, `, arm ${row.arm}, unit ${row.unit}, repeat ${row.repeat}`));
  return shown ? [head, asked(store, row, shown, mind)] : [head, played(row)];
}

/** A scene: what led to it is the transcript. */
const played = (row) => [
  el("p", {}, row.question), el("p", {}, answer(row)), el("p", { class: "soft" }, points(row)),
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
    (shown.memory ?? []).map((note) => derived(store, note)),
    calls(shown.calls),
  ];
}

/** A note that was derived for the exam, and what it was written from. */
function remembered(store, note) {
  const [first] = note.sources;
  const from = first ? [" written from ", link(store, first.seq), ` on, ${counted(note.sources.length, "event")}`] : [];
  return el("p", {}, el("strong", {}, `remembered (${note.strategy})`), ", of all up to ", link(store, note.upto), `: ${note.text} `, el("span", { class: "soft" }, ...from));
}

/** A note that its world does not hold: the exam derived it, from these events. */
const derived = (store, note) => el("details", {},
  el("summary", {}, `Remembered (${note.strategy}), from ${counted(note.sources.length, "event")} up to #${note.upto}`),
  el("p", {}, note.text), el("p", {}, note.sources.map((event) => link(store, event.seq))));

function verdict(one) {
  const failed = !Object.keys(one.scores).length;
  return el("p", { class: failed ? "error" : "" }, el("strong", {}, failed ? `${one.judge} gave no verdict` : `${one.judge}: ${points(one)}`), ` ${one.reason}`);
}

function evidence(store, seen, number) {
  const [text, style] = !seen.witnessed ? ["not witnessed by then", "soft"] : !seen.came_to_mind ? ["missed", "error"] : [seen.named ? "found and named" : "found", "good"];
  return el("p", {}, `${number}. `, el("span", { class: style }, text), " ", link(store, seen.event.seq), " ", told(seen.event));
}
