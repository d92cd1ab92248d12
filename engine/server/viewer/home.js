// Worlds and runs at a glance, live.

import { read, write } from "./address.js";
import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { glance } from "./exams.js";
import { picked, picking, shown } from "./glance.js";
import { begin, entitled, run } from "./runs.js";
import { counted } from "./words.js";
import { cards, workers } from "./work.js";

const EVERY = 2000;
const PAGE = 200;

export const home = (rights) => (main) => drawn(main, rights);

function drawn(main, rights) {
  const worlds = el("div", { class: "worlds" });
  const count = el("p", { class: "soft", role: "status" });
  const more = el("button", { class: "more", type: "button", hidden: true, onclick: earlier }, "Earlier worlds");
  const exams = el("section", { "aria-label": "Exams" });
  const runs = el("ul", { class: "cards" });
  const together = el("section", { "aria-label": "Who plays this log", hidden: true });
  const error = el("p", { class: "error", role: "alert" });
  const controls = rights.right === "control" && rights.writable;
  const asked = picked(read());
  const fields = picking(asked, (change) => {
    Object.assign(asked, change);
    write(asked);
    draw();
  });
  replace(main, el("h1", {}, "Worlds"), fields, error, count, more, worlds, exams,
    together, el("h2", {}, "Runs of this server"), runs, controls ? begin(refresh) : null);
  let gone = false;
  let asking = false;
  let old = [];
  let found = null;
  let playing = [];
  let working = [];
  let sat = [];
  let drawn = "";

  async function refresh() {
    if (asking) return;
    asking = true;
    try {
      const [newest, all, work] = await Promise.all([get("/api/v1/worlds", { limit: PAGE }), get("/api/v1/runs"), workers()]);
      if (gone) return;
      error.textContent = "";
      if (!found) more.hidden = newest.length >= newest.total;
      [found, playing, working] = [newest, all, work];
      draw();
      entitled(playing);
    } catch (problem) {
      error.textContent = problem.message;
    }
    asking = false;
  }

  /** Only what has changed is drawn anew, and who stands on a link stays there. */
  function draw() {
    if (!found) return;
    const now = JSON.stringify([asked, old.length, found, playing, sat, working.map((one) => ({ ...one, silent: 0, minutes: 0 }))]);
    if (now === drawn) return;
    drawn = now;
    const there = new Set(found.map((one) => one.name));
    const all = [...old.filter((one) => !there.has(one.name)), ...found];
    const { count: fitting, sections } = shown(all, playing, asked, sat);
    const standing = worlds.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    replace(worlds, all.length ? sections : el("p", { class: "soft" }, "This log holds no world yet: begin one below, or with whoknew run."));
    if (standing) worlds.querySelector(`a[href="${CSS.escape(standing)}"]`)?.focus();
    count.textContent = `${fitting === all.length ? counted(all.length, "world") : `${fitting.toLocaleString()} of ${counted(all.length, "world")}`}${more.hidden ? "" : `, the newest of ${found.total.toLocaleString()} in this log: those before are not looked through yet`}`;
    together.hidden = !working.length;
    replace(together, el("h2", {}, "Who plays this log"), el("ul", { class: "cards" }, cards(working, new Set(playing.flatMap((one) => one.worlds)), controls, refresh)));
    replace(runs, playing.length ? playing.map((one) => run(one, controls, refresh)) : el("li", { class: "soft" }, "None."));
  }

  async function earlier() {
    more.disabled = true; // two clicks are one
    try {
      const page = await get("/api/v1/worlds", { before: (old[0] ?? found[0]).name, limit: PAGE });
      old = [...page, ...old];
      more.hidden = page.length < PAGE;
      draw();
    } catch (problem) {
      error.textContent = problem.message;
    }
    more.disabled = false;
  }
  refresh();
  glance().then(({ found, cards }) => { sat = found; replace(exams, cards); draw(); }, (problem) => replace(exams, el("p", { class: "soft" }, problem.message)));
  const timer = setInterval(refresh, EVERY);
  return () => { gone = true; clearInterval(timer); };
}
