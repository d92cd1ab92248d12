// What stands beside the story: who knows what, prompts, questions, what-ifs, comparisons, a seat.

import { about, change, get, post } from "./api.js";
import { go } from "./address.js";
import { cell } from "./cell.js";
import { compare } from "./compare.js";
import { el, field, form, option, replace } from "./dom.js";
import { knows } from "./knowledge.js";
import { failure, link, people, told } from "./mentions.js";
import { scores } from "./scores.js";
import { seat } from "./seat.js";
import { spending } from "./spending.js";
import { why } from "./why.js";

const full = (store) => !store.facts.own;

/** Fill in what else there is, once the server has told. */
async function offered(...selects) {
  const parts = await get("/api/v1/parts").catch(() => []);
  for (const select of selects) {
    const others = parts.filter((one) => one.kind === select.name && !one.error && one.name !== select.value && (one.kind !== "judge" || one.judges.includes("answer")));
    select.append(...others.map((one) => el("option", { value: one.name, title: one.help }, one.name)));
  }
}

const points = (scores) => Object.entries(scores).map(([name, score]) => `${name} ${Number(score.toFixed(2))}`).join(", ");

function ask(store, panel) {
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
      el("p", { class: "soft" }, `Read: ${found.read} events. Not allowed to see: ${found.unseen} that others witnessed, ${found.later} that come later.`));
  }), answer);
  return {};
}

function fork(store, panel) {
  const here = el("p", { class: "soft" });
  const moved = () => { here.textContent = `A world that is this one up to #${store.cursor}, and then goes on otherwise.`; };
  moved();
  const nobody = () => el("select", {}, [option("", "nobody"), ...store.facts.characters.map((who) => option(who))]);
  const [whom, whose] = [nobody(), nobody()];
  whom.name = "whom";
  whose.name = "whose";
  const [telling, goal] = [el("textarea", { name: "tell" }), el("textarea", { name: "goal" })];
  for (const [somebody, text] of [[whom, telling], [whose, goal]]) somebody.addEventListener("change", () => { text.required = somebody.value !== ""; if (text.required) text.focus(); });
  replace(panel, here, form([
    field("Called (empty: a name of its own)", el("input", { name: "name", maxlength: "200" })),
    field("Tell", whom), field("that", telling),
    field("A new goal for", whose), field("namely", goal),
    el("label", { class: "row" }, el("input", { type: "checkbox", name: "play", checked: true }), "and play on from there"),
    el("fieldset", { class: "to" }, el("legend", {}, "Played by people"), store.facts.characters.map((who) => el("label", { class: "row" }, el("input", { type: "checkbox", name: `seat:${who}` }), who))),
  ], "Fork here", async (data) => {
    const body = { at: `#${store.cursor}`, ...(data.name ? { name: data.name } : {}) };
    if (data.whom && data.tell) body.tell = [[data.whom, data.tell]];
    if (data.whose && data.goal) body.goal = [[data.whose, data.goal]];
    const made = await change(store.world, "forks", body);
    const seats = Object.keys(data).filter((name) => name.startsWith("seat:")).map((name) => name.slice(5));
    if (data.play === "on") await post("/api/v1/runs", { go_on: made.world, seats }).catch((problem) => { if (problem.status !== 400) throw problem; });
    go(`/?world=${encodeURIComponent(made.world)}&panel=${seats.length ? "seat" : "compare"}`);
  }));
  return { moved };
}

export const PANELS = {
  cell: { title: "Cell", open: cell, for: (store) => full(store) && store.exam && store.cell },
  knows: { title: "Who knows", open: knows, for: full, bundled: true },
  prompt: { title: "Why", open: why, for: (store) => full(store) && store.rights.prompts !== false, bundled: true },
  ask: { title: "Ask", open: ask, for: full },
  fork: { title: "Fork", open: fork, for: (store) => full(store) && store.controls && store.rights.writable },
  compare: { title: "Compare", open: compare, for: full },
  calls: { title: "Calls", open: spending, for: full, bundled: true },
  scores: { title: "Scores", open: scores, for: full, bundled: true },
  seat: { title: "Seat", open: seat, for: (store) => store.only || store.controls },
};
