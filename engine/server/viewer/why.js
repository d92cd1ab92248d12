// One line's inside: what a character knew, what came to mind, what its model was given and answered; and
// the same turn in a fork, with what differs marked.

import { about } from "./api.js";
import { calls, sections } from "./calls.js";
import { el, option, replace } from "./dom.js";
import { failure, link, told } from "./mentions.js";
import { counted } from "./words.js";

export function why(store, panel) {
  const at = store.picked ? `E${store.picked.episode}.T${store.picked.turn}` : `#${store.cursor}`;
  const who = store.picked?.actor;
  let gone = false;
  async function load() {
    replace(panel, el("p", { class: "soft" }, "Making the prompt again ..."));
    try {
      const [found, forks] = await Promise.all([about(store.world, "prompts", { at, who }), kin(store)]);
      const place = `E${found[0].episode}.T${found[0].turn}`;
      const beside = el("div", {});
      replace(panel, found.map((one) => decision(store, one)), forks.length ? besides(store, forks, place, found, beside) : null, beside);
      if (!gone) mark(store, found.flatMap((one) => (one.mind ?? []).flatMap((piece) => piece.seqs)));
    } catch (problem) {
      const asked = store.picked || problem.status !== 400; // else nobody has asked for this turn
      replace(panel, el("p", { class: "soft" }, "Pick “why?” beside something that a character did."), asked ? failure(problem) : el("p", { class: "soft" }, problem.message));
    }
  }
  load();
  return { close: () => { gone = true; mark(store, []); } };
}

/** What came to mind is marked in the transcript, as long as one looks here. */
function mark(store, seqs) {
  store.recalled = new Set(seqs);
  store.tell("marked");
}

/** The other worlds that share a past with this one. */
async function kin(store) {
  if (store.rights.bundle) return [];
  const { worlds } = await about(store.world, "forks");
  return worlds.map((one) => one.name).filter((name) => name !== store.world);
}

function decision(store, one, marked = null) {
  const settings = one.memory ? `, ${one.model}, memory ${one.memory}, method ${one.method}` : "";
  const eyes = el("button", { type: "button", onclick: () => { store.look(one.character); store.to(one.cursor, { step: true }); } }, `See it as ${one.character} did`);
  return el("section", {},
    el("h2", {}, `${one.character} at E${one.episode}.T${one.turn}`),
    el("p", { class: "soft" }, "knowing what was at ", link(store, one.cursor), one.events ? `, ${counted(one.events, "event")} of ${one.cursor.toLocaleString()}` : "", settings, " ", eyes),
    one.outcome ? el("p", {}, el("small", {}, "What came of it: "), link(store, one.outcome.seq), " ", told(one.outcome)) : el("p", { class: "error" }, "Nothing came of it."),
    minds(store, one.mind ?? []),
    one.why ? el("p", { class: "toldof" }, one.why) : null,
    calls(one.calls, { anonymous: store.rights.anonymous, marked }));
}

/** What came to mind, each piece with the events that it rests on, which are marked in the transcript. */
function minds(store, pieces) {
  if (!pieces.length) return el("p", { class: "soft" }, "Nothing of earlier episodes came to mind.");
  return [el("h3", {}, "What came to mind"), el("ul", { class: "known" }, pieces.map((piece) => el("li", {}, piece.seqs.slice(0, 12).map((seq) => [link(store, seq), " "]), piece.seqs.length > 12 ? `and ${piece.seqs.length - 12} more ` : "", piece.text.length > 160 ? el("details", {}, el("summary", {}, `${piece.text.slice(0, 160)} …`), piece.text.slice(160)) : piece.text)))];
}

/** The same turn in another world of the same past. */
function besides(store, forks, place, here, node) {
  const select = el("select", { name: "fork", onchange: () => show(select.value) }, [option("", "no other world"), ...forks.map((name) => option(name))]);
  async function show(name) {
    if (!name) return replace(node);
    try {
      const there = await about(name, "prompts", { at: place, who: here[0].character });
      replace(node, el("h2", {}, `The same turn in ${name}`), differs(here[0], there[0]) || differs(there[0], here[0]) ? lacking(here[0], there[0], name) : el("p", { class: "soft" }, "Nothing differs but what came of it."), there.map((one) => decision(store, one, only(here, one))));
    } catch (problem) {
      replace(node, failure(problem));
    }
  }
  return el("label", {}, "Beside the same turn in", select);
}

const given = (one) => new Set(one.calls.flatMap((call) => (call.messages ?? []).flatMap(sections)).flatMap(({ title, text }) => text.split("\n").map((line) => `${title}\n${line}`)));

/** Marks the lines that stand only in the other. */
function only(here, there) {
  const ours = given(here.find((one) => one.character === there.character) ?? here[0]);
  return (title, line) => line.trim() !== "" && !ours.has(`${title}\n${line}`);
}

/** The lines that stand only here: of those there is nothing to be marked in the other. */
function lacking(here, there, name) {
  const theirs = given(there);
  const lines = [...given(here)].filter((line) => !theirs.has(line)).map((line) => line.slice(line.indexOf("\n") + 1)).filter((line) => line.trim());
  return lines.length ? el("details", { open: lines.length < 12 }, el("summary", {}, `${counted(lines.length, "line")} of this one ${lines.length === 1 ? "is" : "are"} missing in ${name}`), el("pre", {}, el("del", {}, lines.join("\n")))) : null;
}

const differs = (one, other) => { const [ours, theirs] = [given(one), given(other)]; return [...theirs].some((line) => !ours.has(line)); };
