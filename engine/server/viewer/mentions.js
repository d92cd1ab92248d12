// How what stands beside the story mentions events, people, and what went wrong.

import { el, option } from "./dom.js";
import { mentioned } from "./words.js";

export const link = (store, seq) => el("button", { class: "seqlink", type: "button", onclick: () => store.to(seq, { step: true }) }, `#${seq}`);
const MOST = 240;

/** Long texts are cut where they are mentioned, and say so. */
const short = (text) => (text.length > MOST ? `${text.slice(0, MOST).replace(/[\ud800-\udbff]$/, "")}…` : text);

export const told = (event) => {
  const words = mentioned(event);
  return [words.who ? el("strong", {}, words.who, words.colon ? ": " : " ") : "", el("bdi", {}, short(words.text ?? ""))];
};
export const people = (store, props = {}, chosen = store.lens) => el("select", { name: "character", ...props }, store.facts.characters.map((who) => option(who, who, who === chosen)));
export const failure = (problem) => el("p", { class: "error", role: "alert" }, problem.message);

/** A person or thing that an address names and that is not there. */
export const notice = (text) => el("p", { class: "notice", role: "alert" }, text);
