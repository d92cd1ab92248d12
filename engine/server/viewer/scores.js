// Scores over episodes: one measure at a time, a line for each character, a way to the episode behind each point.

import { about } from "./api.js";
import { el, field, option, plain, replace } from "./dom.js";
import { colourOf, initialled } from "./people.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [28, 358, 15, 150];

export function scores(store, panel) {
  let measure = null;
  const load = async () => {
    let found;
    try {
      found = measures(await reviews(store.world));
    } catch (problem) {
      replace(panel, el("p", { class: "error", role: "alert" }, problem.message));
      return;
    }
    if (!found.size) {
      replace(panel, el("p", { class: "soft" }, "There are no scores in this world yet: they come from judges, or from points that are divided."));
      return;
    }
    if (!found.has(measure)) measure = [...found.keys()].find((one) => one.endsWith(": goal")) ?? found.keys().next().value;
    const pick = el("select", { onchange: () => { measure = pick.value; draw(); } }, [...found.keys()].map((one) => option(one, one, one === measure)));
    const place = el("div");
    const draw = () => replace(place, chart(store, found.get(measure)));
    draw();
    replace(panel, field("What is shown", pick), place);
  };
  load();
  return { happened: () => store.fresh.some((event) => event.body.kind === "exam.reviewed") && load() };
}

/** All reviews, page by page. */
async function reviews(world) {
  const found = [];
  let page = { upto: 0, head: 1 };
  while (page.upto < page.head) {
    page = await about(world, "scores", { after: page.upto });
    found.push(...page.scores);
  }
  return found;
}

/** What was measured: for each judge and score, the points of each character. */
function measures(reviews) {
  const found = new Map();
  for (const one of reviews) {
    for (const [name, score] of Object.entries(one.scores)) {
      const [measure, who] = one.character ? [`${one.judge}: ${name}`, one.character] : [one.judge, name];
      if (!found.has(measure)) found.set(measure, new Map());
      const lines = found.get(measure);
      if (!lines.has(who)) lines.set(who, []);
      lines.get(who).push({ episode: one.episode, score, seq: one.seq });
    }
  }
  return found;
}

function chart(store, lines) {
  const all = [...lines.values()].flat();
  const last = Math.max(...all.map((one) => one.episode));
  const top = Math.max(...all.map((one) => one.score));
  const low = Math.min(0, ...all.map((one) => one.score));
  const x = (episode) => LEFT + ((RIGHT - LEFT) * (episode - 1)) / Math.max(1, last - 1);
  const y = (score) => BOTTOM - ((BOTTOM - TOP) * (score - low)) / Math.max(1e-9, top - low);
  const svg = drawn("svg", { viewBox: "0 0 370 170", class: "scores", role: "img", "aria-label": "Scores over episodes" });
  const add = (tag, values, text) => { const node = drawn(tag, values, text); svg.append(node); return node; };
  add("text", { x: 0, y: y(top) + 4 }, short(top));
  add("text", { x: 0, y: y(low) + 4 }, short(low));
  add("text", { x: LEFT, y: 167 }, "E1");
  add("text", { x: RIGHT - 18, y: 167 }, `E${last}`);
  [...lines].forEach(([who, points], place) => {
    // Where lines lie on one another the first is broad and the last is thin, so that all are seen.
    const width = 1.5 + 2 * Math.min(4, lines.size - 1 - place);
    add("path", { d: points.map((one, n) => `${n ? "L" : "M"}${x(one.episode)} ${y(one.score)}`).join(""), stroke: colourOf(store, who), "stroke-width": width });
    for (const one of points) {
      const dot = add("circle", { cx: x(one.episode), cy: y(one.score), r: 2 + width / 2, fill: colourOf(store, who) });
      dot.append(drawn("title", {}, `${who}, E${one.episode}: ${short(one.score)}`));
      dot.addEventListener("click", () => store.to(one.seq, { step: true }));
    }
  });
  return [svg, table(store, lines)];
}

/** The same in figures: a row an episode, each figure a way to where it was given. */
function table(store, lines) {
  const episodes = [...new Set([...lines.values()].flat().map((one) => one.episode))].sort((one, other) => one - other);
  const mean = (points) => short(points.reduce((sum, one) => sum + one.score, 0) / points.length);
  const given = (points, episode) => points.filter((one) => one.episode === episode).map((one) => el("button", { class: "seqlink", type: "button", "aria-label": `${short(one.score)}, to E${episode}`, onclick: () => store.to(one.seq, { step: true }) }, short(one.score)));
  const people = [...lines];
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Scores in figures" }, el("table", { class: "figures" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "episode"), people.map(([who]) => el("th", { scope: "col" }, initialled(store, who))))),
    el("tbody", {},
      el("tr", {}, el("th", { scope: "row" }, "on average"), people.map(([, points]) => el("td", {}, mean(points)))),
      episodes.map((episode) => el("tr", {}, el("th", { scope: "row" }, `E${episode}`), people.map(([, points]) => el("td", {}, given(points, episode))))))));
}

function drawn(tag, values, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = plain(text);
  return node;
}

const short = (number) => String(Math.round(number * 100) / 100);
