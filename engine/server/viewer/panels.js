// What stands beside the story: who knows what, prompts, questions, what-ifs, comparisons, a seat.

import { about, change, get, leave } from "./api.js";
import { go } from "./address.js";
import { calls } from "./calls.js";
import { cell } from "./cell.js";
import { el, field, form, option, replace } from "./dom.js";
import { knows } from "./knowledge.js";
import { failure, link, people, told } from "./mentions.js";
import { scores } from "./scores.js";

const full = (store) => !store.facts.own;

function why(store, panel) {
  const at = store.picked ? `E${store.picked.episode}.T${store.picked.turn}` : `#${store.cursor}`;
  async function load() {
    replace(panel, el("p", { class: "soft" }, "Making the prompt again ..."));
    try {
      const found = await about(store.world, "prompts", { at, who: store.picked?.actor });
      replace(panel, found.map((one) => decision(store, one)));
    } catch (problem) {
      replace(panel, el("p", { class: "soft" }, "Pick “why?” beside something that a character did."), failure(problem));
    }
  }
  load();
  return {};
}

function decision(store, one) {
  const where = `E${one.episode}.T${one.turn}`;
  return el("section", {},
    el("h2", {}, `${one.character} at ${where}`),
    el("p", { class: "soft" }, "knowing what was at ", link(store, one.cursor), one.memory ? `, ${one.model}, memory ${one.memory}, method ${one.method}` : ""),
    one.why ? el("p", { class: "toldof" }, one.why) : null,
    calls(one.calls));
}

/** Fill in what else there is, once the server has told. */
async function offered(...selects) {
  const parts = await get("/api/parts").catch(() => []);
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
  replace(panel, here, form([
    field("Called (empty: a name of its own)", el("input", { name: "name", maxlength: "200" })),
    field("Tell", whom), field("that", el("textarea", { name: "tell" })),
    field("A new goal for", whose), field("namely", el("textarea", { name: "goal" })),
    el("label", { class: "row" }, el("input", { type: "checkbox", name: "play", checked: true }), "and play on from there"),
  ], "Fork here", async (data) => {
    const body = { at: `#${store.cursor}`, ...(data.name ? { name: data.name } : {}) };
    if (data.whom && data.tell) body.tell = [[data.whom, data.tell]];
    if (data.whose && data.goal) body.goal = [[data.whose, data.goal]];
    const made = await change(store.world, "forks", body);
    if (data.play === "on") {
      const { post } = await import("./api.js");
      await post("/api/runs", { go_on: made.world }).catch((problem) => { if (problem.status !== 400) throw problem; });
    }
    go(`/?world=${encodeURIComponent(made.world)}&panel=compare`);
  }));
  return { moved };
}

function compare(store, panel) {
  const result = el("div");
  const [one, other] = [people(store, { name: "one" }), people(store, { name: "other" }, store.facts.characters[1])];
  const show = async (values, left, right) => {
    const found = await about(store.world, "compare", { ...values, limit: 60 });
    const rest = (shown, total) => (total > shown.length ? el("p", { class: "soft" }, `and ${total - shown.length} more`) : null);
    const side = (title, events, total) => [el("h2", {}, `${title}: ${total}`), events.map((event) => el("p", {}, link(store, event.seq), " ", told(event))), rest(events, total)];
    replace(result, el("p", { class: "soft" }, `In both: ${found.both} events.`),
      found.kind === "cursors" ? side(`Between ${found.left} and ${found.right}`, found.only_right, found.total_right) : [side(`Only ${left ?? found.left}`, found.only_left, found.total_left), side(`Only ${right ?? found.right}`, found.only_right, found.total_right)],
      found.gains.length ? [el("h2", {}, "Told of it"), found.gains.map(({ event, known }) => el("p", {}, link(store, event.seq), " ", told(event), el("span", { class: "toldof" }, ` (${known.character} by ${known.by ?? "a page"} at #${known.at})`)))] : null);
  };
  replace(panel,
    form([field("One", one), field("and the other", other)], "Compare these two, here", (data) => show({ who: `${data.one},${data.other}`, at: `#${store.cursor}` })),
    form([field("From a cursor: #12, E3, E3.T5", el("input", { name: "after", required: true }))], "Compare it with here", (data) => show({ after: data.after, at: `#${store.cursor}` })),
    store.facts.parent ? form([], `Compare with ${store.facts.parent}`, () => show({})) : null, result);
  if (store.facts.parent) show({}).catch(() => {});
  return {};
}

/** Sitting down and standing up change what one is sent: the page begins anew, and keeps nothing. */
const anew = (store, panel) => location.assign(`/?${new URLSearchParams({ world: store.world, panel })}`);

function seat(store, panel) {
  const who = store.only;
  const chosen = store.lens ?? store.facts.characters[0];
  const named = () => (store.facts.characters.length ? people(store, {}, chosen) : el("input", { name: "character", required: true, autocomplete: "off" }));
  // Made once: what it says of a refusal stays when the next turn comes.
  const stand = !who || store.rights.right === "view" ? null : form([], "Leave the seat", async () => { await leave(store.world); anew(store, "seat"); });
  const draw = () => {
    if (!who) {
      replace(panel, el("p", {}, "Take a character's seat: this browser is then sent what that one perceives, and nothing else, until you leave it; and you act when it is your turn. The world must be played with that seat for a person."),
        form([field("Who", named())], "Take the seat", async (data) => { await change(store.world, "seats", { character: data.character }); anew(store, "seat"); }));
      return;
    }
    if (!store.turn) {
      replace(panel, el("h2", {}, `You are ${who}`), el("p", { class: "soft", role: "status" }, store.said === "done" ? "Done. Waiting for your next turn ..." : store.said ?? "Waiting for your turn ..."), stand);
      return;
    }
    replace(panel, el("div", { class: "turn" }, acting(store, who)), stand);
  };
  draw();
  return { turned: draw };
}

const ACTS = { speak: "say", "non-verbal": "show", action: "do", none: "think, or nothing", leave: "leave" };

function acting(store, who) {
  const { turn } = store;
  const time = turn.seconds ? ` You have ${turn.seconds} seconds.` : "";
  return [
    el("h2", {}, `It is your turn, ${who}`),
    el("p", { class: "soft" }, `With you: ${turn.present.join(", ") || "nobody"}.${turn.place ? ` At ${turn.place}.` : ""}${time}`),
    store.said ? el("p", { class: "error", role: "alert" }, store.said) : null,
    form([
      field("What", el("select", { name: "act" }, Object.entries(ACTS).map(([act, text]) => option(act, text)))),
      field("Words", el("textarea", { name: "text" })),
      field("Only to (a whisper)", el("select", { name: "to" }, [option("", "everybody here"), ...turn.present.map((one) => option(one))])),
      turn.exits.length ? field("Leave for", el("select", { name: "goes" }, [option("", "nowhere"), ...turn.exits.map((one) => option(one))])) : null,
    ].filter(Boolean), "Act", async (data) => {
      const action = { act: data.act, text: data.text };
      if (data.to && data.act === "speak") action.to = [data.to];
      if (data.goes && data.act === "leave") action.goes = data.goes;
      store.socket.send(JSON.stringify(action));
    }),
  ];
}

export const PANELS = {
  cell: { title: "Cell", open: cell, for: (store) => full(store) && store.exam && store.cell },
  knows: { title: "Who knows", open: knows, for: full },
  prompt: { title: "Why", open: why, for: full },
  ask: { title: "Ask", open: ask, for: full },
  fork: { title: "Fork", open: fork, for: (store) => full(store) && store.controls && store.rights.writable },
  compare: { title: "Compare", open: compare, for: full },
  scores: { title: "Scores", open: scores, for: full },
  seat: { title: "Seat", open: seat, for: (store) => store.only || store.controls },
};
