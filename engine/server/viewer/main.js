// The page: which part of it an address shows.

import { get, invitation, remember, remembered } from "./api.js";
import { heard, read } from "./address.js";
import { el, replace } from "./dom.js";
import { early } from "./early.js";

const main = document.getElementById("main");
const where = document.getElementById("where");
const link = document.getElementById("link");
const keep = document.getElementById("keep");
let leave = () => {};
let invitedOnce = false;
let newest = 0;

async function show() {
  const mine = ++newest;
  leave();
  leave = () => {};
  link.textContent = "";
  where.textContent = where.title = "";
  link.className = "";
  keeping();
  try {
    const draw = await asked();
    if (mine !== newest) return; // somewhere else was gone to meanwhile
    leave = draw(main, where, link) ?? leave;
    const there = where.textContent;
    document.title = there ? `${there} - Whoknew` : "Whoknew";
  } catch (problem) {
    if (mine !== newest) return;
    document.title = "Whoknew";
    replace(main, el("h1", {}, "This cannot be shown"), el("p", { class: "error", role: "alert" }, problem.message),
      el("p", { class: "row" }, el("button", { onclick: show }, "Try again"), problem.instead, el("a", { href: "/", "data-go": true }, "All worlds")));
  }
}

/** What the address means, once all that it needs is there: how it is drawn. A world is asked about while
    one's rights still are. */
async function asked() {
  if (invitation && !invitedOnce) {
    invitedOnce = true;
    return (await import("./invite.js")).invited(invitation);
  }
  const state = read();
  const opening = state.world ? early(state) : null;
  if (opening) import("./world.js").catch(() => {}); // read while the server is asked; told below
  const rights = await get("/api/v1/version");
  if (rights.right === "nothing") {
    replace(keep);
    return (await import("./token.js")).asking(show);
  }
  state.world ??= rights.world;
  if (state.world) return (await import("./world.js")).world(state, rights, opening ?? early(state));
  return state.exam ? (await import("./exams.js")).exam(state) : (await import("./home.js")).home(rights);
}

/** A token is forgotten with its tab, unless one says otherwise. */
function keeping() {
  const kept = remembered();
  replace(keep, kept === null ? null : el("button", { type: "button", class: "small", title: kept ? "The token is kept in this browser until you have it forgotten" : "The token is forgotten with this tab: keep it in this browser, on a device of your own", onclick: () => { remember(!kept); keeping(); } }, kept ? "Forget me" : "Remember me"));
}

heard(show);
addEventListener("pageshow", (event) => event.persisted && location.reload()); // not what was seen from another seat
show();
