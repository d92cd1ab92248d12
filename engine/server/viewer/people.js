// People in little room: initials that stand for one person alone, and a colour, the same everywhere.

import { el } from "./dom.js";

/** The initials of each: of its words, and as many letters more as tell it from all others. Whom no
    letter tells apart, a number does. */
export function initials(people) {
  const found = new Map(people.map((name) => [name, shortened(name, 1)]));
  for (let length = 2; length < 12; length++) {
    const times = new Map();
    for (const letters of found.values()) times.set(letters.toLowerCase(), (times.get(letters.toLowerCase()) ?? 0) + 1);
    for (const [name, letters] of found) if (times.get(letters.toLowerCase()) > 1) found.set(name, shortened(name, length));
  }
  const taken = new Set();
  for (const [name, letters] of found) {
    let free = letters;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${letters}${number}`;
    taken.add(free.toLowerCase());
    found.set(name, free);
  }
  return found;
}

/** Vera: V, Ve, Ver; Person Bob: PB, PBo, PBob. */
function shortened(name, length) {
  const words = (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["?"]).map((word) => [...word]);
  const [first, ...more] = words.at(-1);
  return (words.length > 1 ? words[0][0].toUpperCase() : "") + first.toUpperCase() + more.slice(0, length - 1).join("");
}

/** The colour of a character, far from that of the one before, and as light as all others: it can be
    seen on white and on black. All other colours are in style.css. */
const characterColour = (place) => `oklch(0.6 0.13 ${(place * 137 + 150) % 360})`;

export const colourOf = (store, name) => characterColour(store.facts.characters.indexOf(name));

/** Initials on their colour, for the eye alone: who says them aloud says the name. */
export function badge(store, name) {
  const node = el("abbr", { class: "badge", title: name, "aria-hidden": "true" }, store.letters.get(name) ?? name);
  node.style.setProperty("--who", colourOf(store, name));
  return node;
}

/** A name where there is room for initials only. */
export const initialled = (store, name) => (store.letters.has(name) ? [badge(store, name), el("span", { class: "aloud" }, name)] : name);

/** Who is who. */
export const legend = (store) => el("ul", { class: "legend", "aria-label": "People, with their initials", tabindex: "0" },
  [...store.letters.keys()].map((name) => el("li", {}, badge(store, name), name)));

/** Those who witnessed something: to the eye as badges, to the ear by name. */
export function witnessed(store, witnesses) {
  const there = new Set(witnesses);
  const names = [...store.letters.keys()].filter((name) => there.has(name));
  const says = `witnessed by ${names.join(", ") || "nobody"}`;
  return el("div", { class: "seen", title: says }, el("span", { class: "aloud" }, says), names.map((name) => badge(store, name)));
}
