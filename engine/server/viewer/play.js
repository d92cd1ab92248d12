// A seat from within: who one is, what one wants, where one is and with whom, and what one does.

import * as alerts from "./alerts.js";
import { about } from "./api.js";
import { el, field, option, replace } from "./dom.js";
import * as draft from "./draft.js";

const ACTS = { speak: "say", "non-verbal": "show", action: "do", none: "think, or nothing", leave: "leave", sleep: "fall asleep", wake: "wake", offer: "offer to divide", agree: "agree to the offer" };
const SAID = ["speak", "offer", "agree"]; // to all, or to some
const CHANGING = ["episode.opened", "episode.closed", "episode.goal", "episode.entered", "episode.left", "episode.became", "world.described", "world.relation"];

export function play(store, panel) {
  const who = store.only;
  const me = el("section", { class: "me", "aria-label": "You" }, el("h2", {}, `You are ${who}`));
  const status = el("p", { class: "status", role: "status" });
  const refused = el("p", { class: "error", role: "alert" });
  const left = el("span", { class: "soft left" });
  const act = el("select", { name: "act", onchange: changed }, Object.entries(ACTS).map(([value, text]) => option(value, text)));
  const text = el("textarea", { name: "text", rows: 2, enterkeyhint: "send", oninput: changed });
  const to = el("fieldset", { class: "to" });
  const goes = el("select", { name: "goes", onchange: changed });
  const going = field("Leave for", goes);
  const wakes = el("select", { name: "wakes" });
  const waking = field("Wake whom", wakes);
  const shares = el("fieldset", { class: "to shares", hidden: true });
  const send = el("button", { class: "main", type: "submit" }, "Act");
  const form = el("form", { class: "turn", onsubmit: acted, onkeydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit(); } },
    status, el("div", { class: "row" }, field("What", act), going, waking), shares, field("Words", text), to, el("div", { class: "row" }, send, left), refused);
  let whispers = [];
  let sent = null; // what the server has not answered yet, and may not have had
  let asking = false;
  let asked = false;

  /** Who one is: asked again when something of it may have changed. */
  async function know() {
    asked = true;
    if (asking) return;
    asking = true;
    while (asked) {
      asked = false;
      try {
        store.self = await about(store.world, "self");
        replace(me, ...told(store.self));
        drawn();
        store.tell("known");
      } catch (problem) {
        replace(me, el("h2", {}, `You are ${who}`), el("p", { class: "error" }, problem.message));
      }
    }
    asking = false;
  }

  const present = () => store.turn?.present ?? store.self?.present.map((one) => one.name) ?? [];

  /** All that follows from whose turn it is; what is typed stays. */
  function drawn() {
    const mine = Boolean(store.turn);
    form.classList.toggle("mine", mine);
    replace(status, mine ? `It is your turn, ${who}` : waiting());
    send.disabled = !mine || Boolean(sent);
    const here = [...new Set([...present(), ...whispers])]; // a whisper to one who has gone is never said to all
    const listed = [...to.querySelectorAll("input")].map((input) => input.value).join();
    if (listed !== here.join() || !to.childElementCount) {
      const box = (name) => el("label", { class: "row" }, el("input", { type: "checkbox", value: name, checked: whispers.includes(name), onchange: changed }), name);
      replace(to, el("legend", {}, "Whisper only to"), here.length ? here.map(box) : el("small", {}, "nobody is here"));
    }
    const exits = store.turn?.exits ?? [];
    const chosen = goes.value;
    replace(goes, option("", "out of the episode"), ...exits.map((one) => option(one, one, one === chosen)));
    to.hidden = !SAID.includes(act.value) || !here.length;
    going.hidden = act.value !== "leave" || !exits.length;
    dividing(here);
    const sleepers = store.turn?.asleep ?? [];
    if ([...wakes.options].map((one) => one.value).join() !== sleepers.join()) replace(wakes, ...sleepers.map((one) => option(one)));
    waking.hidden = act.value !== "wake";
    offered({ wake: sleepers.length > 0, offer: Boolean(pool()), agree: Boolean(pool()) });
    counted();
  }

  const pool = () => { const found = store.self?.pool ?? {}; return Object.keys(found).length ? found : null; };

  /** What can be done now is there to be chosen. */
  function offered(can) {
    for (const one of act.options) if (one.value in can) one.hidden = one.disabled = !can[one.value];
    if (act.selectedOptions[0]?.disabled) act.value = "speak";
  }

  /** Who is to get how many of what: a number for each person and thing. */
  function dividing(here) {
    shares.hidden = act.value !== "offer" || !pool();
    const wanted = JSON.stringify([pool(), here, store.self?.worth]);
    if (!pool() || shares.dataset.of === wanted) return;
    shares.dataset.of = wanted;
    const count = (name, thing, most) => el("label", { class: "row" }, thing, el("input", { type: "number", min: "0", max: String(most), value: "0", "data-who": name, "data-thing": thing, "aria-label": `${thing} for ${name}` }));
    replace(shares, el("legend", {}, `Who is to get what of ${things(pool())} (worth to you: ${worths(store.self)})`), ...[who, ...here].map((name) => el("div", { class: "row" }, el("strong", {}, name), Object.entries(pool()).map(([thing, most]) => count(name, thing, most)))));
  }

  function offer() {
    const found = {};
    for (const input of shares.querySelectorAll("input")) (found[input.dataset.who] ??= {})[input.dataset.thing] = Number(input.value);
    return found;
  }

  function waiting() {
    if (sent) return "Sent ...";
    if (store.idle) return "There are no turns while nobody plays.";
    if (store.self?.resting) return store.self.episode ? "You are in no scene now. Wait for the next." : "It has not begun yet.";
    return store.said === "done" ? "Done. Waiting for your next turn ..." : "Waiting for your turn ...";
  }

  function counted() {
    const ends = store.turn?.ends;
    const seconds = ends ? Math.max(0, Math.round((ends - Date.now()) / 1000)) : null;
    left.textContent = seconds === null ? "" : `${seconds >= 120 ? `${Math.floor(seconds / 60)} min` : `${seconds} s`} left`;
    left.classList.toggle("toldof", seconds !== null && seconds <= 20);
  }

  function changed() {
    whispers = [...to.querySelectorAll("input:checked")].map((input) => input.value);
    draft.keep(store, { act: act.value === "speak" ? "" : act.value, text: text.value, to: whispers, goes: goes.value });
    drawn();
  }

  function acted(event) {
    event.preventDefault();
    if (!store.turn || sent) return;
    refused.textContent = "";
    const action = { act: act.value, text: text.value, number: store.turn.number, ...done(act.value, text.value) };
    if (action.act === "speak" && whispers.length) action.to = whispers;
    if (action.act === "leave" && goes.value) action.goes = goes.value;
    sent = action;
    const mine = draft.kept(store);
    if ((mine.text ?? "") === text.value) draft.keep(store, { ...mine, sent: action.number });
    deliver();
    drawn();
  }

  /** What falling asleep, waking and dividing come to: acts with something more. */
  function done(what, words) {
    if (what === "sleep") return { act: "action", text: words || "goes to sleep", sleeps: true };
    if (what === "wake") return { act: "action", text: words || `wakes ${wakes.value}`, wakes: [wakes.value] };
    if (what === "offer") return { act: "speak", offer: offer() };
    return what === "agree" ? { act: "speak", text: words || "Agreed.", agrees: true } : {};
  }

  function deliver() {
    if (store.socket.readyState === WebSocket.OPEN) store.socket.send(JSON.stringify(sent));
    else refused.textContent = "You are cut off: it is sent as soon as the server is there again.";
  }

  function cleared() {
    draft.taken(store, text.value);
    sent = null;
    whispers = [];
    text.value = "";
    act.value = "speak";
    refused.textContent = "";
  }

  /** A turn, or what became of an action. Whoever was cut off sends again what was for this very turn. */
  function turned() {
    if (store.said === "done" && sent) cleared();
    else if (store.said === "done") refused.textContent = "";
    else if (store.said) [sent, refused.textContent] = [null, store.said];
    else if (sent && store.turn && sent.number === store.turn.number) deliver();
    else if (sent && store.turn) settle(sent.number, text.value);
    if (store.turn) alerts.turn(who, store.turn.place ?? "");
    else alerts.over();
    drawn();
    if (store.turn) know();
  }

  const mine = (event, words) => event.actor === who && event.body.kind === "episode.acted" && (event.body.text ?? "") === words;

  /** What one did for an earlier turn is in the story, or was never taken. */
  async function settle(number, words) {
    const { events } = await about(store.world, "events", { after: number, limit: 20 }).catch(() => ({ events: [] }));
    if (text.value !== words) return;
    if (events.some((event) => mine(event, words))) cleared();
    else if (sent) [sent, refused.textContent] = [null, "The turn that this was meant for is over."];
    drawn();
  }

  /** What one did is in the story: whatever was lost of the answer, it was taken. */
  function happened() {
    if (sent && store.fresh.some((event) => mine(event, sent.text))) cleared();
    if (store.fresh.some((event) => CHANGING.includes(event.body.kind))) know();
    drawn();
  }

  const before = draft.kept(store);
  act.value = before.act || "speak";
  text.value = before.text ?? "";
  whispers = before.to ?? [];
  if (before.sent !== undefined) settle(before.sent, before.text ?? "");
  replace(panel, me, form, alerts.choices());
  const timer = setInterval(counted, 1000);
  drawn();
  if (store.turn) alerts.turn(who, store.turn.place ?? "");
  know();
  return { turned, happened, idled: drawn, close: () => { clearInterval(timer); alerts.over(); } };
}

const worths = (self) => Object.entries(self.worth).map(([thing, points]) => `${thing} ${points}`).join(", ") || "nothing";
const things = (some) => Object.entries(some).map(([thing, count]) => `${count} ${thing}`).join(", ");

/** Who one is, what one wants, where one is, and who is there: each as far as one knows. */
function told(self) {
  const there = self.present.map((one) => one.name).join(", ") || "nobody";
  return [
    el("h2", {}, `You are ${self.character}`),
    self.goal && !self.resting ? el("p", { class: "goal" }, el("strong", {}, "You want: "), self.goal) : null,
    Object.keys(self.pool ?? {}).length && !self.resting ? el("p", {}, el("strong", {}, "To be divided: "), things(self.pool), ". ", el("strong", {}, "Worth to you: "), worths(self), ".") : null,
    self.resting ? null : el("p", {}, el("strong", {}, "You are "), `${self.place ? `at ${self.place}, ` : ""}with ${there}${self.hidden ? ". You are hidden: nobody here knows of you" : ""}.`),
    el("details", {}, el("summary", {}, "Who you are, and whom you know here"),
      self.about ? el("p", {}, self.about) : null,
      self.scenario ? el("p", {}, self.scenario) : null,
      self.place_about ? el("p", {}, self.place_about) : null,
      self.present.map((one) => el("p", {}, el("strong", {}, one.name), one.relation ? ` (${one.relation})` : "", one.about ? `: ${one.about}` : ""))),
  ].filter(Boolean);
}
