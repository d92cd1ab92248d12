// Who knows of an event, in a picture that was drawn without that: lines change from when somebody knows, with an
// arrow from whoever told them. It looks as what a server draws.

import { cell } from "./bundled_knowledge.js";

const SVG = "http://www.w3.org/2000/svg";
const RANK = { present: "was there", told: "was told", otherwise: "was told otherwise" };

/** The answer that holds the picture, with an event in it. */
export async function coloured(facts, found, event) {
  if (!(event > 0 && event <= facts.events)) throw refused(`there is no #${event} in this bundle`);
  const all = await Promise.all(facts.world.characters.map((name) => cell(event, name, facts.events)));
  const learnt = all.map(since).filter(Boolean).sort((one, other) => one.at - other.at || (one.character < other.character ? -1 : 1));
  const said = learnt.map(({ character, at, how, by }) => `${character} ${RANK[how]}${how === "present" ? "" : ` at #${at} by ${by ?? "a page"}`}.`);
  const [title, ...others] = found.sentences;
  return {
    ...found, story: { ...found.story, fact: { event, learnt } }, picture: drawn(found, learnt),
    sentences: [title, `Coloured: who knows of #${event}.`, ...said, ...others],
  };
}

/** What cannot be coloured is shown as it is, and the reason told. */
export const refused = (text) => Object.assign(new Error(text), { status: 400 });

/** Since when somebody knows of it, and by whom. */
function since({ event, character, answer, at, by = null, origin, otherwise }) {
  if (answer === "present") return { character, at: event, how: answer, by: null };
  if (answer === "told") return { character, at, how: answer, by, found: Boolean(origin && origin !== "declared") };
  return otherwise ? { character, at: otherwise.at, how: "otherwise", by: otherwise.by ?? null } : null;
}

function drawn({ picture, story, box: [left, right] }, learnt) {
  const svg = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
  const x = (seq) => Math.round(10 * (left + ((right - left) * (seq - story.after)) / Math.max(1, story.upto - story.after))) / 10;
  const lines = Map.groupBy([...svg.querySelectorAll("path.line:has(title)")], (line) => line.textContent);
  for (const line of [...lines.values()].flat()) {
    line.removeAttribute("style");
    line.classList.replace("own", "plain");
  }
  for (const one of learnt) for (const line of lines.get(one.character) ?? []) parted(svg, line, one, x(one.at));
  const heights = (name, at) => (lines.get(name) ?? []).map((line) => height(line.getAttribute("d"), at)).find((y) => y !== null) ?? null;
  for (const one of learnt) if (one.at > story.after && one.at <= story.upto) svg.append(...signs(one, x(one.at), heights));
  return new XMLSerializer().serializeToString(svg);
}

/** A line that is another from a place on. */
function parted(svg, line, { how, at }, place) {
  const [width, high] = [Number(svg.getAttribute("width")), svg.getAttribute("height")];
  const edge = Math.max(0, Math.min(width, place));
  const after = line.cloneNode(true);
  after.classList.replace("plain", "knows");
  after.classList.add(how);
  for (const [part, name, from, to] of [[line, "till", 0, edge], [after, "from", edge, width]]) {
    const id = `${name}-${at}`;
    part.setAttribute("clip-path", `url(#${id})`);
    if (svg.getElementById(id)) continue;
    const clip = node("clipPath", { id });
    clip.append(node("rect", { x: from, y: 0, width: to - from, height: high }));
    svg.prepend(clip);
  }
  line.after(after);
}

/** How high a line runs at a place: of a bend, on the side that is nearer. */
function height(way, at) {
  let [x, y] = [0, 0];
  for (const [, sign, rest] of way.matchAll(/([MHC])([^MHC]+)/g)) {
    const numbers = rest.trim().split(/[\s,]+/).map(Number);
    const [to, high] = sign === "H" ? [numbers[0], y] : numbers.slice(-2);
    if (sign !== "M" && x <= at && at <= to) return at < (x + to) / 2 ? y : high;
    [x, y] = [to, high];
  }
  return null;
}

function signs({ character, at, how, by, found }, x, heights) {
  const [y, teller] = [heights(character, x), by === null ? null : heights(by, x)];
  if (y === null) return [];
  const made = [];
  const false_ = how === "otherwise" ? " false" : "";
  if (teller !== null) {
    const down = y > teller ? 1 : -1;
    made.push(node("path", { class: `arrow${found ? " doubtful" : ""}${false_}`, d: `M${x} ${teller}V${y - 11 * down}` }));
    made.push(node("path", { class: `tip${false_}`, d: `M${x} ${y - 5 * down}l-4 ${-7 * down}h8z` }));
  }
  const sign = node("circle", { class: `node ${how}`, cx: x, cy: y, r: 4.5 });
  sign.append(Object.assign(node("title"), { textContent: `${character}: ${how} at #${at}` }));
  made.push(sign, Object.assign(node("text", { class: "small on", x: x + 6, y: y - 5 }), { textContent: `#${at}` }));
  return made;
}

function node(tag, values = {}) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
  return made;
}
