// Runs: how each stands, whom it waits for, whose seats are free; and beginning one.

import { get, post } from "./api.js";
import { el, field, form, option, plain, replace } from "./dom.js";
import { cost } from "./glance.js";
import { sit } from "./seat.js";
import { counted } from "./words.js";

const TRIES = 20;

const world = (name) => el("a", { href: `/?world=${encodeURIComponent(name)}`, "data-go": true }, name);
const listed = (nodes) => nodes.flatMap((node, place) => (place ? [", ", node] : [node]));

export function run(one, controls, refresh) {
  const act = (what) => () => post(`/api/v1/runs/${one.id}/${what}`).then(refresh, (problem) => { refused.textContent = problem.message; });
  const refused = el("p", { class: "error", role: "alert" });
  const share = one.episodes ? (100 * one.episodes_done) / one.episodes : 0;
  const bar = el("i");
  bar.style.width = `${share}%`;
  return el("li", { class: "card" },
    el("h3", {}, listed(one.worlds.slice(0, 3).map(world)), one.worlds.length > 3 ? ` and ${one.worlds.length - 3} more` : ""),
    el("span", { class: `pill ${one.state}` }, one.waits.length ? `waits for ${one.waits.map((wait) => wait.character).join(", ")}` : one.state),
    el("div", { class: "bar" }, bar),
    one.turns === null ? el("small", {}, "A seat is taken: what happens is not counted here.") : el("small", {}, `${one.episodes_done} of ${counted(one.episodes, "episode")}, ${counted(one.turns, "turn")}, ${counted(one.calls, "call")}, ${one.tokens.toLocaleString()} tokens, ${cost(one.money)}`),
    one.failures ? el("p", {}, el("a", { class: "error", href: `/?${new URLSearchParams({ world: one.worlds[0], panel: "calls" })}`, "data-go": true }, counted(one.failures, "failure"))) : null,
    one.reason ? el("p", { class: one.state === "failed" ? "error" : "soft" }, one.reason) : null,
    controls ? seats(one, (problem) => { refused.textContent = problem.message; }) : null,
    controls ? el("div", { class: "row" },
      one.state === "playing" ? el("button", { onclick: act("pause") }, "Pause") : null,
      one.state === "playing" ? el("button", { onclick: act("stop") }, "Stop") : null,
      ["paused", "stopped", "failed"].includes(one.state) ? el("button", { onclick: act("resume") }, "Go on") : null) : null, refused);
}

/** The seats for people of a run that goes on: a free one is taken from here. */
function seats(one, failed) {
  if (one.state !== "playing" || !one.seats.length) return null;
  const [where] = one.worlds;
  const waits = new Set(one.waits.map((wait) => wait.character));
  return el("ul", { class: "seats" }, one.seats.map((who) => el("li", {}, el("strong", {}, who),
    one.free.includes(who) ? [" ", el("button", { type: "button", class: waits.has(who) ? "main" : "", onclick: () => sit(where, who).catch(failed) }, `Play as ${who}`), " ", el("a", { href: `/?${new URLSearchParams({ world: where, panel: "seat", invite: who })}`, "data-go": true, "aria-label": `Invite somebody to play ${who}` }, "invite")] : ": taken")));
}

/** Whoever is waited for is told of where one looks last: in the title. */
export function entitled(runs) {
  const waits = runs.flatMap((one) => one.waits.map((wait) => wait.character));
  document.title = waits.length ? plain(`● ${waits.join(", ")}: waited for - Whoknew`) : "Whoknew";
}

/** Begin a run; a world of ours that is on the log already is played once more, in one of its own. */
async function begun(what) {
  for (let count = 1; ; count++) {
    try {
      return await post("/api/v1/runs", count === 1 ? what : { ...what, name: `${what.world}-${count}` });
    } catch (problem) {
      if (problem.status !== 409 || !what.world || what.name || count === TRIES) throw problem;
    }
  }
}

export function begin(refresh) {
  const choice = el("select", { name: "world", onchange: people });
  const seats = el("fieldset", { class: "to", hidden: true });
  let shelf = [];
  function people() {
    const { characters = [] } = shelf.find((one) => one.name === choice.value) ?? {};
    seats.hidden = !characters.length;
    replace(seats, el("legend", {}, "Played by people"), ...characters.map((who) => el("label", { class: "row" }, el("input", { type: "checkbox", name: `seat:${who}` }), who)));
  }
  get("/api/v1/shelf").then((found) => {
    shelf = found;
    replace(choice, ...found.map((one) => option(one.name, `${one.name}: ${one.title}`, one.name === "midnight-diner")));
    people();
  }, () => {});
  return el("section", {}, el("h2", {}, "Begin"),
    form([
      field("A world that comes with Whoknew, played by offline minds", choice),
      field("Called (empty: a name of its own)", el("input", { name: "name", maxlength: "200" })),
      seats,
      el("details", {}, el("summary", {}, "Or a plan of your own"), field("As TOML; people play the seats that are chosen above, and those that it gives to people", el("textarea", { name: "plan", spellcheck: "false" }))),
    ], "Play", async (data) => {
      const chosen = Object.keys(data).filter((name) => name.startsWith("seat:")).map((name) => name.slice(5));
      const what = data.plan.trim() ? { plan: data.plan } : { world: data.world };
      await begun({ ...what, ...(data.name ? { name: data.name } : {}), seats: chosen });
      await refresh();
    }));
}
