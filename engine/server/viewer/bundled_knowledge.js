// Who knows what, out of the files of a bundle: one of each character, of all that it witnessed and was told.

import { every, held, part, picked } from "./bundled_files.js";

const SHARED = ["episode.acted", "episode.narrated", "life.traced", "episode.opened"];
const HAPPENINGS = [...SHARED.slice(0, 3), "episode.entered", "episode.left", "episode.became", "episode.goal"];

const read = new Map();

/** What a character witnessed, in order; what it was told, by event; and what is open or told otherwise. */
export function cells(name) {
  if (!read.has(name)) read.set(name, unpacked(name));
  return read.get(name);
}

async function unpacked(name) {
  const { facts } = held;
  const place = facts.world.characters.indexOf(name);
  if (place < 0) throw new Error(`there is no “${name}” in this bundle`);
  const found = await part(`knows-${place}`);
  let seq = 0;
  const seen = found.seen.map((step) => (seq += step));
  return { seen, there: new Set(seen), told: new Map(found.told.map((one) => [one.event, one])), open: new Map(found.open.map((one) => [one.event, one])) };
}

/** Whether a character knows of an event at a cursor, and how. */
export async function cell(event, name, cursor) {
  const mine = await cells(name);
  const said = { event, character: name };
  if (event > cursor) return { ...said, answer: "future" };
  const open = mine.open.get(event);
  const otherwise = open?.otherwise && open.otherwise.at <= cursor ? { otherwise: open.otherwise } : {};
  const doubt = open?.doubt ? { doubt: open.doubt } : {};
  if (mine.there.has(event)) return { ...said, answer: "present", at: event, ...doubt };
  const told = mine.told.get(event);
  if (told && told.at <= cursor) return { ...told, character: name, answer: "told", ...otherwise, ...doubt };
  return { ...said, answer: "absent", ...otherwise, ...doubt };
}

/** From a character back to a witness, teller by teller. */
export async function trace(event, name, cursor) {
  const chain = [await cell(event, name, cursor)];
  while (chain.at(-1).answer === "told" && chain.at(-1).by) {
    const { by, at } = chain.at(-1);
    const next = await cell(event, by, cursor);
    chain.push(next.answer === "told" && next.at >= at ? { event, character: by, answer: "absent" } : next);
  }
  return chain;
}

export const names = (text) => (text ?? "").split(",").map((one) => one.trim()).filter(Boolean);

/** Who knows of what at a cursor, a page at a time, as a server answers it. */
export async function matrix(facts, { cursor, about, who, only, not, order, limit = 20, skip = 0 }) {
  const columns = names(who).length ? names(who) : facts.world.characters;
  const everybody = new Map();
  for (const name of only || not ? facts.world.characters : columns) everybody.set(name, await cells(name));
  const knows = (name, seq) => everybody.get(name).there.has(seq) || (everybody.get(name).told.get(seq)?.at ?? Infinity) <= cursor;
  const marked = new Map((facts.world.marks ?? []).filter((one) => one.secret).map((one) => [one.cursor, one.name]));
  let seqs = about ? await meant(facts, about, cursor) : only || not ? await happenings(facts, cursor) : [...marked.keys()];
  if (!seqs.length && !about && !only && !not) throw new Error("this bundle has no secrets marked: search for some words, or name seqs");
  if (only) seqs = seqs.filter((seq) => facts.world.characters.every((name) => knows(name, seq) === names(only).includes(name)));
  if (not) seqs = seqs.filter((seq) => !names(not).some((name) => knows(name, seq)) && facts.world.characters.some((name) => knows(name, seq)));
  if (only || not) {
    const others = facts.world.characters.filter((name) => !names(only ?? not).includes(name));
    const rank = new Map(seqs.map((seq) => [seq, others.filter((name) => knows(name, seq)).length]));
    seqs.sort((one, other) => marked.has(other) - marked.has(one) || rank.get(other) - rank.get(one) || one - other);
  }
  if (order) {
    const spread = new Map(seqs.map((seq) => [seq, columns.filter((name) => knows(name, seq)).length]));
    seqs.sort((one, other) => (order === "fewest" ? 1 : -1) * (spread.get(one) - spread.get(other)));
  }
  const page = seqs.slice(Number(skip), Number(skip) + Number(limit));
  const events = await picked(facts, page);
  const rows = await Promise.all(page.map(async (seq, at) => ({ event: events[at], mark: marked.get(seq) ?? "", cells: await Promise.all(columns.map((name) => cell(seq, name, cursor))) })));
  const counts = columns.map((name) => seqs.filter((seq) => knows(name, seq)).length);
  return {
    cursor, about: about ?? "", characters: columns, total: seqs.length, skipped: Number(skip), rows, counts, looked: facts.looked,
    told: seqs.filter((seq) => columns.some((name) => !everybody.get(name).there.has(seq) && knows(name, seq))).length,
    knowing: columns.filter((_, at) => counts[at]),
  };
}

const happenings = async (facts, cursor) => kept(facts, cursor, (event) => HAPPENINGS.includes(event.body.kind));

const kept = async (facts, cursor, fits) => (await picked(facts, every(facts, cursor))).filter(fits).map((event) => event.seq);

/** The events that a range of seqs means, or some words: what holds the most of them first. */
async function meant(facts, about, cursor) {
  const [, first, last] = about.trim().match(/^#?(\d+)(?:\s*(?:-|\.\.)\s*#?(\d+))?$/) ?? [];
  if (first) {
    const end = Math.min(facts.events, Number(last ?? first));
    return every(facts, end).slice(Number(first) - 1);
  }
  const words = about.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const often = new Map();
  await kept(facts, cursor, (event) => {
    if (!SHARED.includes(event.body.kind)) return false;
    const text = (event.body.text ?? event.body.scenario ?? "").toLowerCase();
    const holds = words.filter((word) => text.includes(word)).length;
    if (holds) often.set(event.seq, holds);
    return holds > 0;
  });
  if (!often.size) throw new Error(`nothing here holds “${about}”: try other words, or a seq`);
  return [...often.keys()].sort((one, other) => often.get(other) - often.get(one) || one - other);
}
