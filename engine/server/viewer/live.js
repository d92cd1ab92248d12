// What happens in a world while one looks at it.

import { about, stream } from "./api.js";
import * as own from "./own.js";

const REFUSED = [401, 403, 404];

/** Hear of what happens, from where one is; a stream that breaks is taken up again where it broke. */
export function followed(store, link, tell) {
  let socket = null;
  let closed = false;
  let tries = 0;
  let from = store.head;
  const say = (text, bad = false) => { link.textContent = text; link.className = bad ? "bad" : ""; };

  function connect() {
    const mine = stream(store.world, from, store.only);
    store.socket = socket = mine;
    let greeted = false;
    socket.onopen = () => { tries = 0; };
    socket.onmessage = ({ data }) => {
      if (mine !== socket) return;
      const message = JSON.parse(data);
      if (message.type === "hello") {
        greeted = true;
        if ((message.head == null) !== store.facts.own) location.reload(); // all is shown no more, or is again
      } else if (message.type === "live") say("live");
      else if (message.type === "events") {
        from = message.upto;
        store.fresh = (message.events ?? []).map((event) => own.event(event, store.only));
        for (const event of store.fresh) noted(store, event);
        const along = store.follow;
        store.head = Math.max(store.head, message.upto);
        if (along) store.cursor = store.head;
        tell("happened");
      } else if (message.type === "turn") { store.turn = { ...message, ends: message.left === null ? null : Date.now() + 1000 * message.left }; store.said = null; tell("turned"); }
      else if (message.type === "taken") { store.turn = null; store.said = "done"; tell("turned"); }
      else if (message.type === "over") { if (store.turn) { store.turn = store.said = null; tell("turned"); } }
      else if (message.type === "refused") { store.said = message.why; tell("turned"); }
      else if (message.type === "bye" && message.again) location.reload();
      else if (message.type === "bye") say(message.why, true);
    };
    socket.onclose = () => {
      if (closed || mine !== socket) return;
      store.turn = null; // if it still is, one is told so again
      store.said = null;
      tell("turned");
      tries += 1;
      say(`the server is gone: trying again (${tries})`, true);
      setTimeout(connect, Math.min(5000, 250 * 2 ** Math.min(tries, 5)));
      if (!greeted) refused();
    };
  }

  /** A server that is there and shows this no more is not gone: the page begins anew, and says so. */
  async function refused() {
    const found = await about(store.world, "", { limit: 1 }).catch((problem) => problem);
    const known = store.facts.own ? store.facts.character : undefined;
    if (!closed && (found.status ? REFUSED.includes(found.status) : found.name === store.world && found.character !== known)) location.reload();
  }
  connect();
  return { close() { closed = true; socket.close(); link.textContent = ""; } };
}

function noted(store, event) {
  const { facts } = store;
  const newest = facts.episodes.at(-1);
  const come = event.episode > facts.total && facts.own;
  if (event.body.kind === "episode.opened" || come) {
    facts.episodes.push({ number: event.episode, name: event.body.name ?? "", scenario: event.body.scenario ?? "", place: event.place ?? null, at: event.at, first: event.seq, last: null });
    facts.total += 1;
  } else if (event.body.kind === "episode.closed" && newest) newest.last = event.seq;
  else if (event.body.kind === "world.character" && !facts.own && !facts.characters.includes(event.body.name)) facts.characters.push(event.body.name);
}
