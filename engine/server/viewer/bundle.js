// A bundle: a world in files beside the page, which answer as a server does.

import { coloured, refused } from "./bundled_colours.js";
import { compared } from "./bundled_compare.js";
import { count, every, held, part, picked } from "./bundled_files.js";
import { cells, matrix, trace } from "./bundled_knowledge.js";

const number = (value) => (value === undefined || value === null || value === "" ? null : Number(value));

/** The answer to what a server would be asked. */
export async function answer(path, values) {
  const { facts } = held;
  const [, what] = path.match(/^\/api\/v1\/worlds\/[^/]+\/?(.*)$/) ?? [];
  if (what === undefined) return beside[path.replace("/api/v1/", "")]?.(facts) ?? [];
  const name = decodeURIComponent(path.split("/")[4]);
  if (name !== facts.world.name) throw new Error(`this bundle holds ${facts.world.name} alone, and not “${name}”`);
  if (!Object.hasOwn(routes, what)) throw new Error("a bundle does not hold this: open the world with whoknew serve");
  return routes[what](facts, values);
}

const beside = {
  version: (facts) => ({ version: facts.version, right: "read", writable: false, world: facts.world.name, character: null, bundle: true, prompts: facts.prompts, anonymous: facts.anonymous }),
};

const routes = {
  "": (facts, { before }) => ({ ...facts.world, episodes: facts.world.episodes.filter((one) => !before || one.number < before) }),
  events: (facts, values) => events(facts, values),
  async cursor(facts, { at }) { return { cursor: await resolved(facts, at) }; },
  async knowledge(facts, values) { return matrix(facts, { ...values, cursor: await resolved(facts, values.at) }); },
  async compare(facts, values) { return compared(facts, { ...values, cursor: await resolved(facts, values.at), since: values.after ? await resolved(facts, values.after) : null }); },
  async trace(facts, { at, event, character }) { return trace(Number(event), character, await resolved(facts, at)); },
  async scores() { const found = await part("scores"); return { scores: found, upto: held.facts.events, head: held.facts.events }; },
  calls: () => part("calls"),
  story: (facts, values) => pictured(facts, values),
  recall: (facts, values) => recalled(facts, values),
  prompts: (facts, values) => prompts(facts, values),
};

/** A page of events, as a server pages them. */
async function events(facts, values) {
  const [after, limit] = [number(values.after), number(values.limit) ?? 200];
  const upto = Math.min(facts.events, number(values.upto) ?? facts.events);
  const mine = values.as && !facts.character ? (await cells(values.as)).seen : null;
  const place = (seq) => (mine ? count(mine, seq) : seq);
  const total = place(upto);
  const begins = after === null ? Math.max(0, total - limit) : Math.min(place(after), total);
  const seqs = [];
  for (let at = begins; at < Math.min(total, begins + limit); at++) seqs.push(mine ? mine[at] : at + 1);
  return { events: await picked(facts, seqs), head: facts.events, total, before: begins };
}

async function one(facts, seq) {
  const [event] = await picked(facts, [seq]);
  return event;
}

/** The seq that a cursor comes to: #12, E3, E3.T5, @ a story time, a mark, end. */
async function resolved(facts, at = "end") {
  if (at === "end" || at === undefined) return facts.events;
  const [, seq] = at.match(/^#?(\d+)$/) ?? [];
  if (seq !== undefined) {
    if (Number(seq) > facts.events) throw new Error(`there is no #${seq}: the newest is #${facts.events}`);
    return Number(seq);
  }
  const [, episode, turn] = at.match(/^E(\d+)(?:\.T(\d+))?$/) ?? [];
  if (episode !== undefined) return within(facts, Number(episode), turn === undefined ? null : Number(turn));
  if (at.startsWith("@")) return by(facts, at.slice(1));
  const mark = facts.world.marks?.find((some) => some.name === at.replace(/^"(.*)"$/, "$1"));
  if (mark) return mark.cursor;
  throw new Error(`“${at}” is no moment of this bundle: #12, E3, E3.T5, @1599-06-01T21:00, or a mark`);
}

/** The end of an episode, or of a turn in it. */
async function within(facts, number, turn) {
  const band = facts.world.episodes.find((some) => some.number === number);
  if (!band) throw new Error(`there is no E${number} here`);
  const last = band.last ?? facts.events;
  if (turn === null) return last;
  let seq = band.first - 1;
  for (const event of await picked(facts, every(facts, last).slice(band.first - 1))) {
    if (event.episode === number && (event.turn ?? 0) <= turn) seq = event.seq ?? event.number;
  }
  return seq;
}

/** The newest event by a story time, which never runs backwards. */
async function by(facts, time) {
  let [low, high] = [0, facts.events];
  const wanted = new Date(/[Z+]/.test(time) ? time : `${time}${time.includes("T") ? "Z" : "T23:59:59Z"}`);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (new Date((await one(facts, middle)).at) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The picture of the whole, or of the episode that begins there; through somebody's eyes of the whole. Coloured
    by who knows of an event where one sees all. */
async function pictured(facts, { after, as, width, about }) {
  const { stories, world } = facts;
  const size = number(width) < 700 ? "narrow" : "wide";
  if (about && (as || facts.character)) throw refused("in a bundle the picture has colours as the director sees it");
  if (as && !stories.lenses) throw new Error(`this bundle has no picture through the eyes of ${as}`);
  if (as) return part(`story-${size}-as${world.characters.indexOf(as)}`);
  const episode = after === undefined ? null : world.episodes.find(({ first }) => first - 1 === after);
  const found = await part(episode && stories.episodes ? `story-${size}-E${episode.number}` : `story-${size}`);
  return about ? coloured(facts, found, Number(about.replace("#", ""))) : found;
}

/** What somebody can know of that holds some words: what holds the most of them first. */
async function recalled(facts, { as, words, at, k }) {
  const cursor = await resolved(facts, at);
  const seqs = facts.character ? every(facts, cursor) : (await cells(as)).seen.filter((seq) => seq <= cursor);
  const wanted = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = [];
  for (const event of await picked(facts, seqs)) {
    const text = event.body.text ?? event.body.scenario ?? "";
    const score = wanted.filter((word) => text.toLowerCase().includes(word)).length;
    if (score) found.push({ seq: event.seq ?? event.number, score, text: `${event.actor ? `${event.actor}: ` : ""}${text}` });
  }
  return { found: found.sort((one, other) => other.score - one.score || one.seq - other.seq).slice(0, Number(k)) };
}

/** What models were given at the turn of a cursor. */
async function prompts(facts, { at, who }) {
  const spoken = at.match(/^E\d+\.T\d+$/) ? at : await turnOf(facts, await resolved(facts, at));
  const key = spoken.replace(".", "-");
  if (!facts.prompts) throw new Error("this bundle was made without prompts");
  if (!facts.turns.includes(key)) throw refused(facts.left ? `no model was asked anything at ${spoken}, or its prompts were left out: the bundle holds those of the last ${facts.turns.length} turns` : `no model was asked anything at ${spoken}: take another turn`);
  return (await part(`prompts-${key}`)).filter((some) => !who || some.character === who);
}

async function turnOf(facts, seq) {
  const event = await one(facts, seq);
  return `E${event.episode}.T${event.turn ?? 0}`;
}
