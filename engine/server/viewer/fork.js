// A what-if: a world that is this one up to the cursor, and then goes on otherwise.

import { change, post } from "./api.js";
import { go } from "./address.js";
import { el, field, form, option, replace } from "./dom.js";

export function fork(store, panel) {
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
