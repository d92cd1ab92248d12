// From one thing that somebody could see to the next: what is set up, and what is asked of models, is passed over.

import { about } from "./api.js";
import * as own from "./own.js";
import { sentence } from "./words.js";

const PAGE = 60;
const AHEAD = 3; // steps that wait for others: a key that is held down does not run on when it is let go

/** Whether it stands in the transcript: of all else nobody sees anything happen. */
export function shown(store, event) {
  const { kind, text } = event.body;
  if (kind === "episode.opened") return true;
  if (kind === "episode.narrated" && store.facts.episodes.some((one) => one.number === event.episode && one.scenario === text)) return false;
  return sentence(event) !== null;
}

/** As whom the story is read, where not all of it is. */
export const reader = (store) => store.only ?? (store.hide ? store.lens : null);

/** Steps of a world, one after another: on, back, or, where it is neither, to the first. What comes in the way
    of one is told, until there is another. */
export function steps(store, tell) {
  let waiting = 0;
  let last = Promise.resolve();

  /** To the next, or the one before; past the last of them, to the end. */
  async function step(way) {
    const seq = way < 0 ? await before(store, store.cursor) : await next(store, way && store.cursor);
    tell(null);
    if (seq !== null) store.to(seq);
  }

  return (way) => {
    if (waiting >= AHEAD) return last;
    waiting += 1;
    last = last.then(() => step(way)).catch(tell).finally(() => { waiting -= 1; });
    return last;
  };
}

/** The seq of the first thing to be seen after one; where there is none, the newest. */
async function next(store, after) {
  while (after < store.head) {
    const { events } = await page(store, { after, upto: store.head });
    const found = events.find((event) => shown(store, event));
    if (found) return found.seq;
    if (!events.length) break;
    after = events.at(-1).seq;
  }
  return store.head;
}

/** The seq of the last thing to be seen before one; nothing, where there is none. */
async function before(store, seq) {
  while (seq > 1) {
    const { events } = await page(store, { upto: seq - 1 });
    const found = events.findLast((event) => shown(store, event));
    if (found) return found.seq;
    if (!events.length) break;
    seq = events[0].seq;
  }
  return null;
}

async function page(store, values) {
  const found = await about(store.world, "events", { ...values, limit: PAGE, as: reader(store) });
  return { ...found, events: found.events.map((event) => own.event(event, store.only)) };
}
