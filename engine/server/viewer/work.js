// All who play this log, wherever they are: a card for each plan, with what its processes do together.

import { get, post } from "./api.js";
import { el } from "./dom.js";
import { cost } from "./glance.js";
import { sit } from "./seat.js";
import { counted } from "./words.js";

/** Nobody plays a log in a file but who has it; and whoever may not see all is told of none. */
export const workers = () => get("/api/v1/workers").catch(() => []);

export function cards(found, own, controls, refresh) {
  const plans = new Map();
  for (const one of found) plans.set(one.plan, [...(plans.get(one.plan) ?? []), one]);
  return [...plans].map(([plan, some]) => card(plan, some, own, controls, refresh));
}

function card(plan, some, own, controls, refresh) {
  const refused = el("p", { class: "error", role: "alert" });
  const failed = (problem) => { refused.textContent = problem.message; };
  const act = (what, world) => () => post(`/api/v1/workers/${what}`, { world }).then(refresh, failed);
  const sum = (name) => some.reduce((total, one) => total + one[name], 0);
  const { paused, worlds, seats } = some[0];
  const money = some.some((one) => one.money === null) ? null : sum("money");
  const [where] = worlds;
  return el("li", { class: "card work", "aria-label": plan },
    el("h3", {}, el("a", { href: `/?${new URLSearchParams({ world: where })}`, "data-go": true }, plan)),
    el("span", { class: `pill ${paused ? "paused" : "playing"}` }, paused ? "paused" : "playing"),
    el("small", { class: "all" }, `${counted(some.length, "worker")}, ${counted(sum("chains"), "chain")} now, ${sum("finished").toLocaleString()} over, ${counted(sum("turns"), "turn")}, ${Math.round(sum("turns_per_minute")).toLocaleString()} a minute, ${counted(sum("calls"), "call")}, ${sum("tokens").toLocaleString()} tokens, ${cost(money)}`),
    sum("failed") ? el("p", { class: "error" }, counted(sum("failed"), "failure")) : null,
    el("ul", {}, some.map((one) => worker(one, controls, some.length > 1, act))),
    controls && !own.has(where) && seats.length && !paused ? el("ul", { class: "seats" }, seats.map((who) => el("li", {}, el("button", { type: "button", onclick: () => sit(where, who).catch(failed) }, `Play as ${who}`)))) : null,
    controls ? el("div", { class: "row" },
      el("button", { type: "button", onclick: act(paused ? "resume" : "pause", where) }, paused ? "Go on" : "Pause"),
      el("button", { type: "button", onclick: act("stop", where) }, "Stop")) : null, refused);
}

/** One of several can be stopped alone: the others go on with its chains. */
function worker(one, controls, several, act) {
  if (!several) return el("li", {}, el("small", {}, one.name));
  return el("li", {}, el("small", {}, `${one.name}: ${counted(one.chains, "chain")}, ${Math.round(one.turns_per_minute).toLocaleString()} turns a minute, ${cost(one.money)}${one.failed ? `, ${counted(one.failed, "failure")}` : ""} `),
    controls ? el("button", { type: "button", "aria-label": `Stop ${one.name}`, onclick: act("stop", one.name) }, "Stop") : null);
}
