// Worlds and runs at a glance, live.

import { get, post } from "./api.js";
import { el, field, form, option, replace } from "./dom.js";
import { glance } from "./exams.js";
import { counted, dollars } from "./words.js";

const EVERY = 2000;
const PAGE = 200;
const BUNDLED = ["midnight-diner", "harbour", "flatmates"];

export function home(main, where, rights) {
  where.textContent = "";
  const old = el("ul", { class: "cards" });
  const worlds = el("ul", { class: "cards" });
  const more = el("button", { class: "more", type: "button", hidden: true, onclick: earlier }, "Earlier worlds");
  const exams = el("section", { "aria-label": "Exams" });
  const runs = el("ul", { class: "cards" });
  const error = el("p", { class: "error", role: "alert" });
  const controls = rights.right === "control" && rights.writable;
  replace(main, el("h1", {}, "Worlds"), error, more, old, worlds, exams,
    el("h2", {}, "Runs of this server"), runs, controls ? begin(refresh) : null);
  let gone = false;
  let asking = false;
  let first = null;

  async function refresh() {
    if (asking) return;
    asking = true;
    try {
      const [found, playing] = await Promise.all([get("/api/worlds", { limit: PAGE }), get("/api/runs")]);
      if (gone) return;
      error.textContent = "";
      if (!first) next(found);
      replace(worlds, found.length ? found.map((one) => world(one, playing)) : el("li", { class: "soft" }, "This log holds no world yet: begin one below, or with whoknew run."));
      replace(runs, playing.length ? playing.map((one) => run(one, controls, refresh)) : el("li", { class: "soft" }, "None."));
    } catch (problem) {
      error.textContent = problem.message;
    }
    asking = false;
  }
  /** A page of worlds is full where there may be more before it. */
  function next(found) {
    first = found[0]?.name ?? first;
    more.hidden = found.length < PAGE;
  }

  async function earlier() {
    const found = await get("/api/worlds", { before: first, limit: PAGE });
    old.prepend(...found.map((one) => world(one, [])));
    next(found);
  }
  refresh();
  glance().then((found) => replace(exams, found), (problem) => replace(exams, el("p", { class: "soft" }, problem.message)));
  const timer = setInterval(refresh, EVERY);
  return () => { gone = true; clearInterval(timer); };
}

/** What something cost; what is not known is never shown as nothing. */
const cost = (money) => (money === null ? "cost unknown" : dollars(money));

function world(one, runs) {
  const playing = runs.some((run) => run.state === "playing" && run.worlds.includes(one.name) && !run.ended.some((end) => end.world === one.name));
  const state = playing ? "playing" : one.episodes > one.closed ? "suspended" : "";
  const last = one.recorded ? new Date(one.recorded).toLocaleString() : "";
  return el("li", { class: "card" },
    el("h3", {}, el("a", { href: `/?world=${encodeURIComponent(one.name)}`, "data-go": true }, one.title)),
    el("div", { class: "row" }, el("small", {}, one.name), state ? el("span", { class: `pill ${state}` }, state) : null,
      one.parent ? el("span", { class: "pill" }, `fork of ${one.parent}`) : null),
    one.last ? el("p", { class: "last" }, one.last) : null,
    one.head === null ? el("small", {}, "A seat of it is taken: what happens in it is not counted here.") : el("small", {}, `${counted(one.closed, "episode")}, ${counted(one.turns, "turn")}, ${counted(one.head, "event")}, ${counted(one.characters, "character")}, ${cost(one.money)}`),
    one.failures ? el("div", {}, el("small", { class: "error" }, counted(one.failures, "failure"))) : null,
    el("div", {}, el("small", {}, last)));
}

function run(one, controls, refresh) {
  const act = (what) => () => post(`/api/runs/${one.id}/${what}`).then(refresh, (problem) => alert(problem.message));
  const share = one.episodes ? (100 * one.episodes_done) / one.episodes : 0;
  const bar = el("i");
  bar.style.width = `${share}%`;
  return el("li", { class: "card" },
    el("h3", {}, one.worlds.slice(0, 3).join(", ") + (one.worlds.length > 3 ? ` and ${one.worlds.length - 3} more` : "")),
    el("span", { class: `pill ${one.state}` }, one.state),
    el("div", { class: "bar" }, bar),
    one.turns === null ? el("small", {}, "A seat is taken: what happens is not counted here.") : el("small", {}, `${one.episodes_done} of ${counted(one.episodes, "episode")}, ${counted(one.turns, "turn")}, ${counted(one.calls, "call")}, ${one.tokens.toLocaleString()} tokens, ${cost(one.money)}`),
    one.failures ? el("p", { class: "error" }, `${counted(one.failures, "failure")}`) : null,
    one.reason ? el("p", { class: one.state === "failed" ? "error" : "soft" }, one.reason) : null,
    controls ? el("div", { class: "row" },
      one.state === "playing" ? el("button", { onclick: act("pause") }, "Pause") : null,
      one.state === "playing" ? el("button", { onclick: act("stop") }, "Stop") : null,
      ["paused", "stopped", "failed"].includes(one.state) ? el("button", { onclick: act("resume") }, "Go on") : null) : null);
}

function begin(refresh) {
  const world = el("select", { name: "world" }, BUNDLED.map((name) => option(name)));
  return el("section", {}, el("h2", {}, "Begin"),
    form([
      field("A world that comes with Whoknew, played by offline minds", world),
      field("Called (empty: as it is)", el("input", { name: "name", maxlength: "200" })),
      field("Played by people: names, with commas between", el("input", { name: "seats" })),
      field("Or a plan of your own, as TOML", el("textarea", { name: "plan", spellcheck: "false" })),
    ], "Play", async ({ world: chosen, name, plan, seats }) => {
      const people = seats.split(",").map((one) => one.trim()).filter(Boolean);
      const what = plan.trim() ? { plan } : { world: chosen };
      await post("/api/runs", { ...what, ...(name ? { name } : {}), seats: people });
      await refresh();
    }));
}
