// Seats: which are for people, which are free; sitting down, and standing up again.

import { about, change, leave, post } from "./api.js";
import { el, field, form, option, replace } from "./dom.js";
import * as draft from "./draft.js";
import { given, inviting } from "./invite.js";
import { failure } from "./mentions.js";
import { play } from "./play.js";

const OFTEN = 3000;
const ELSEWHERE = "Another process writes this log: what happens is shown here, and nobody can be played.";

/** Sitting down and standing up change what one is sent: the page begins anew, and keeps nothing. */
export const anew = (world, panel) => location.assign(`/?${new URLSearchParams({ world, panel })}`);

export async function sit(world, character) {
  await change(world, "seats", { character });
  anew(world, "seat");
}

export function seat(store, panel) {
  if (store.only) return seated(store, panel);
  const [seats, others] = [el("div"), el("div")];
  replace(panel, seats, others);
  let shown = "";
  let free = null;
  async function look() {
    try {
      const found = await about(store.world, "seats");
      const now = JSON.stringify(found);
      if (now !== shown) replace(seats, offered(store, found));
      shown = now;
      free = invite(store, others, found, free);
    } catch (problem) {
      shown = "";
      replace(seats, failure(problem));
    }
  }
  look();
  const timer = setInterval(look, OFTEN);
  return { close: () => clearInterval(timer) };
}

function seated(store, panel) {
  const acting = el("div");
  const part = play(store, acting);
  const stand = store.rights.right === "view" && !store.rights.seat ? null : form([], "Leave the seat", async () => {
    await leave(store.world);
    draft.forget(store);
    anew(store.world, "seat");
  }, { kind: "" });
  const [idle, others] = [el("div", { role: "status" }), el("div")];
  replace(panel, idle, acting, stand, others);
  let free = "";
  async function look() {
    const found = await about(store.world, "seats").catch(() => null); // the stream says that it is gone
    if (!found) return;
    if (store.controls) free = invite(store, others, found, free);
    if (found.playing !== store.idle) return;
    store.idle = !found.playing;
    replace(idle, store.idle ? unplayed(store) : null);
    if (store.idle) idle.scrollIntoView({ block: "nearest" });
    part.idled();
  }
  look();
  const timer = setInterval(look, OFTEN);
  return { ...part, close() { clearInterval(timer); part.close(); } };
}

/** Whoever sits in a world that nobody plays, as after the server was started again, would wait for ever. */
function unplayed(store) {
  if (!store.rights.writable) return el("p", { class: "notice" }, ELSEWHERE);
  if (store.controls) return form([el("p", { class: "notice" }, "Nobody plays this world now.")], "Play on", () => post("/api/v1/runs", { go_on: store.world, seats: [store.only] }));
  return el("p", { class: "notice" }, "Nobody plays this world now. You need not wait here: the seat stays yours, and this page tells you when it goes on.");
}

/** Whom one may invite; a link that is shown stays until the free seats are others. */
function invite(store, node, { seats }, before) {
  const free = seats.filter((one) => !one.taken).map((one) => one.character);
  if (free.join() !== before) replace(node, free.length ? inviting(store, free) : null, given(store));
  return free.join();
}

const TELLS = "Whoever takes a seat is sent what its character perceives, and nothing else, until they leave it, and acts when it is its turn.";

function offered(store, { playing, seats, characters }) {
  if (!playing) return [el("p", {}, TELLS), goOn(store, characters)];
  if (!seats.length) return [el("p", {}, TELLS), el("p", {}, "This world is being played, and no seat in it is for people: pause its run, and go on with it with people.")];
  const free = seats.filter((one) => !one.taken);
  const chosen = free.find((one) => one.character === store.lens) ?? free.find((one) => one.waits) ?? free[0];
  return [
    el("p", {}, TELLS),
    el("ul", { class: "seats" }, seats.map((one) => el("li", {}, el("strong", {}, one.character), `: ${one.taken ? "taken" : "free"}${one.waits ? ", waited for now" : ""}`))),
    free.length ? form([field("Who", el("select", { name: "character" }, free.map((one) => option(one.character, one.character, one === chosen))))], "Take the seat", (data) => sit(store.world, data.character)) : null,
  ];
}

function goOn(store, characters) {
  const who = characters.length ? characters : store.facts.characters;
  if (!store.rights.writable) return el("p", { class: "soft" }, ELSEWHERE);
  if (!who.length) return el("p", { class: "soft" }, "Nobody plays this world now.");
  return form([field("Nobody plays this world now. Go on with it, and play", el("select", { name: "character" }, who.map((one) => option(one, one, one === store.lens))))], "Play on and take the seat", async (data) => {
    await post("/api/v1/runs", { go_on: store.world, seats: [data.character] });
    await sit(store.world, data.character);
  });
}
