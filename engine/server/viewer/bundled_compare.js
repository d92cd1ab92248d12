// Two people, or two moments, side by side, out of the files of a bundle.

import { count, held, every, picked } from "./bundled_files.js";
import { cells, names } from "./bundled_knowledge.js";

/** What one of two people perceived and the other did not; or what happened between two moments. As a server
    answers it, a page at a time. */
export async function compared(facts, { cursor, since, who, skip = 0, limit = 200 }) {
  const people = names(who);
  const found = since === null ? await peopleCompared(facts, people, cursor) : await moments(facts, people, Math.min(since, cursor), Math.max(since, cursor));
  const page = (rows) => rows.slice(Number(skip), Number(skip) + Number(limit));
  const { only_left, only_right, gains, losses } = found;
  return {
    ...found, only_left: page(only_left), only_right: page(only_right), gains: page(gains), losses: page(losses),
    total_left: only_left.length, total_right: only_right.length, total_gains: gains.length, total_losses: losses.length,
  };
}

async function peopleCompared(facts, people, cursor) {
  if (people.length !== 2) throw new Error("compare two people, or two moments: a bundle holds no other world");
  const [one, other] = people;
  const [left, right] = await Promise.all(people.map((name) => perceived(name, 0, cursor)));
  const [mine, theirs] = [new Set(left), new Set(right)];
  const [onlyLeft, onlyRight] = [left.filter((seq) => !theirs.has(seq)), right.filter((seq) => !mine.has(seq))];
  return {
    kind: "characters", left: one, right: other, characters: people, both: left.length - onlyLeft.length,
    only_left: await story(facts, onlyLeft), only_right: await story(facts, onlyRight),
    gains: await toldOf(facts, other, onlyLeft, cursor), losses: await toldOf(facts, one, onlyRight, cursor),
  };
}

async function moments(facts, people, first, last) {
  const whose = people.length ? people : facts.world.characters;
  const seqs = people.length ? await perceived(people[0], first, last) : every(facts, last).slice(first);
  const told = [];
  for (const name of whose) for (const one of (await cells(name)).told.values()) if (one.event <= first && one.at > first && one.at <= last) told.push(known(one, name));
  told.sort((one, other) => one.at - other.at || one.event - other.event);
  return {
    kind: "cursors", left: `#${first}`, right: `#${last}`, characters: whose, both: first,
    only_left: [], only_right: await story(facts, seqs), gains: await gained(facts, told), losses: [],
  };
}

/** What somebody witnessed after one seq and up to another. */
async function perceived(name, after, upto) {
  const { seen } = await cells(name);
  return seen.slice(count(seen, after), count(seen, upto));
}

/** Of some events those that somebody was told of. */
async function toldOf(facts, name, seqs, cursor) {
  const { told } = await cells(name);
  const heard = seqs.map((seq) => told.get(seq)).filter((one) => one && one.at <= cursor);
  return (await gained(facts, heard.map((one) => known(one, name)))).filter(({ event }) => happened(event));
}

const known = (told, character) => ({ ...told, character, answer: "told" });

async function gained(facts, told) {
  const events = await picked(facts, told.map(({ event }) => event));
  return told.map((known, at) => ({ event: events[at], known }));
}

const story = async (facts, seqs) => (await picked(facts, seqs)).filter(happened);

/** Whether it happened in the story: no call, and nothing beside it. */
function happened({ body, cause, episode }) {
  if (held.facts.outside.includes(body.kind)) return false;
  if (body.kind === "machinery.failed") return (cause ?? null) === null;
  return body.kind !== "exam.reviewed" || (episode ?? 0) !== 0;
}
