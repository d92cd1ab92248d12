// Inviting somebody to a seat: by a link, or a picture of it; and coming by such a link.

import { asInvited, change, uninvite } from "./api.js";
import { read } from "./address.js";
import { el, field, form, option, replace } from "./dom.js";

const LASTS = { "1d": "a day", "7d": "a week", "30d": "a month" };
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** To a seat that is free, of those that are listed. */
export function inviting(store, free) {
  const asked = read().invite; // whom a link meant
  const result = el("div", { "aria-live": "polite" });
  return el("details", { class: "invite", open: free.includes(asked) }, el("summary", {}, "Invite somebody to a seat"),
    form([
      field("Whose seat", el("select", { name: "character" }, free.map((who) => option(who, who, who === asked)))),
      field("For", el("select", { name: "for" }, Object.entries(LASTS).map(([value, text]) => option(value, text, value === "7d")))),
    ], "Make an invitation", async (data) => {
      const made = await change(store.world, "invitations", { ...data, address: location.origin });
      replace(result, shown(made));
      result.scrollIntoView({ block: "nearest" });
      // It ends those before it to the same seat: who has come by one sits there, and nobody is invited.
      keep(store, (some) => [...some.filter((one) => one.character !== made.character), { id: made.id, character: made.character, ends: made.ends }]);
      for (const line of [...given(store).children]) if (line.dataset.whose === made.character) line.remove();
      given(store).append(takenBack(store, made));
    }), result);
}

function shown({ link, picture, character, world }) {
  const text = el("input", { readonly: true, value: link, "aria-label": "The link", onfocus: (event) => event.target.select() });
  const told = el("span", { role: "status", class: "soft" });
  const copy = el("button", { type: "button", onclick: async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(link);
      told.textContent = "copied";
    } catch {
      told.textContent = "press Ctrl+C: this browser copies nothing by itself here";
    }
  } }, "Copy the link");
  return [
    el("p", {}, `Whoever opens this link first can play ${character} in ${world}, and sees nothing else. It is shown only this once.`),
    el("div", { class: "row" }, text, copy, told),
    el("img", { class: "code", src: picture, alt: `A code for the camera of a telephone, with the same link for ${character}` }),
    LOCAL.includes(location.hostname) ? el("p", { class: "notice" }, "It leads to this machine alone. For others start the server so that they reach it (whoknew serve --host ADDRESS --token TOKEN), and open the page by that address.") : null,
  ].filter(Boolean);
}

const KEPT = (store) => `whoknew-invited:${store.world}`;

/** What was given here, as long as this tab is open: each is taken back, also after somebody came with it. */
export function given(store) {
  if (!store.given) {
    store.given = el("ul", { class: "seats", "aria-label": "Invitations that you gave" });
    for (const one of JSON.parse(sessionStorage.getItem(KEPT(store)) ?? "[]")) store.given.append(takenBack(store, one));
  }
  return store.given;
}

function keep(store, change) {
  sessionStorage.setItem(KEPT(store), JSON.stringify(change(JSON.parse(sessionStorage.getItem(KEPT(store)) ?? "[]"))));
}

function takenBack(store, { id, character, ends }) {
  const told = el("span", { role: "status", class: "soft" });
  const button = el("button", { type: "button", class: "small", "aria-label": `Take the invitation of ${character} back`, onclick: async () => {
    button.disabled = true;
    try {
      await uninvite(store.world, id);
      told.textContent = " The link opens nothing any more, and the seat is free.";
      keep(store, (some) => some.filter((one) => one.id !== id));
    } catch (problem) {
      told.textContent = ` ${problem.message}`;
      button.disabled = false;
    }
  } }, "Take back");
  return el("li", { "data-whose": character }, `${character}, until ${new Date(ends).toLocaleString()} `, button, told);
}

/** Whoever comes by such a link is asked first: to look at it takes nothing. */
export async function invited(token) {
  const { world, character, right } = await asInvited(token, "/api/v1/version");
  if (right !== "sit") throw new Error("This invitation is not good any more: somebody has come with it, it has ended, or it was taken back. Ask for another.");
  return (main, where) => {
    where.textContent = "An invitation";
    replace(main, ...offer(token, world, character));
  };
}

function offer(token, world, character) {
  const seat = form([], `Play as ${character}`, async () => {
    await asInvited(token, "/api/v1/seats", { method: "POST", body: "{}" });
    location.replace(`/?${new URLSearchParams({ world, panel: "seat" })}`);
  });
  return [el("h1", {}, `You are invited to play ${character}`),
    el("p", {}, `In “${world}”. You will be sent what ${character} perceives, and nothing else; you act when it is ${character}'s turn.`),
    el("p", { class: "soft" }, "This browser keeps the seat until you leave it. The link is good for one browser: open it in the one that you want to play in."), seat];
}
