// A character is asked here and now, and its answer judged.

import { change, get } from "./api.js";
import { el, field, form, option, replace } from "./dom.js";
import { link, people, told } from "./mentions.js";

export function ask(store, panel) {
  const answer = el("div", { "aria-live": "polite" });
  const memory = el("select", { name: "memory" }, option("entire"));
  const method = el("select", { name: "method" }, option("plain"));
  const judge = el("select", { name: "judge" }, option("reference"));
  offered(memory, method, judge);
  const fields = [
    field("Whom", people(store)), field("What", el("textarea", { name: "question", required: true })),
    field("Memory", memory), field("Method", method),
    field("An answer known to be right (empty: the answer is not judged)", el("textarea", { name: "reference" })), field("Judge", judge),
    store.controls ? el("label", { class: "row" }, el("input", { type: "checkbox", name: "save" }), "keep question and answer on the log") : null,
  ].filter(Boolean);
  replace(panel, form(fields, "Ask here and now", async (data) => {
    const judged = data.reference.trim() ? { reference: data.reference, judges: [data.judge] } : {};
    const found = await change(store.world, "ask", { ...judged, character: data.character, question: data.question, memory: data.memory, method: data.method, at: `#${store.cursor}`, save: data.save === "on" });
    replace(answer,
      el("h2", {}, `${found.character} at #${found.cursor}`),
      found.answer === null ? el("p", { class: "error" }, `gave no answer: ${found.error}`) : el("p", {}, found.answer),
      found.rests_on.length ? [el("small", {}, "It rests on"), found.rests_on.map((event) => el("p", {}, link(store, event.seq), " ", told(event)))] : el("p", { class: "soft" }, "It rests on nothing that it names."),
      Object.entries(found.verdicts).map(([name, one]) => el("p", { class: one.scores ? "" : "error" }, el("strong", {}, one.scores ? `${name}: ${points(one.scores)}` : `${name} gave no verdict`), ` ${one.reason}`)),
      el("p", { class: "soft" }, `Read: ${found.read} events. Not allowed to see: ${found.unseen} that it did not witness, ${found.later} that come later.`));
  }), answer);
  return {};
}

/** Fill in what else there is, once the server has told. */
async function offered(...selects) {
  const parts = await get("/api/v1/parts").catch(() => []);
  for (const select of selects) {
    const others = parts.filter((one) => one.kind === select.name && !one.error && one.name !== select.value && (one.kind !== "judge" || one.judges.includes("answer")));
    select.append(...others.map((one) => el("option", { value: one.name, title: one.help }, one.name)));
  }
}

const points = (scores) => Object.entries(scores).map(([name, score]) => `${name} ${Number(score.toFixed(2))}`).join(", ");
