// The page: which part of it an address shows.

import { get, invitation, remember, remembered } from "./api.js";
import { heard, read } from "./address.js";
import { exam } from "./exams.js";
import { home } from "./home.js";
import { invited } from "./invite.js";
import { world } from "./world.js";
import { el, replace } from "./dom.js";

const main = document.getElementById("main");
const where = document.getElementById("where");
const link = document.getElementById("link");
const keep = document.getElementById("keep");
let leave = () => {};
let invitedOnce = false;

async function show() {
  leave();
  leave = () => {};
  link.textContent = "";
  where.textContent = where.title = "";
  link.className = "";
  keeping();
  try {
    if (invitation && !invitedOnce) {
      invitedOnce = true;
      await invited(main, invitation);
      document.title = "An invitation - Whoknew";
      return;
    }
    const rights = await get("/api/v1/version");
    const state = read();
    if (rights.world && !state.world) state.world = rights.world;
    if (rights.right === "nothing") throw new Error("this server needs a token: open the page as #token=...");
    if (state.world) leave = await world(main, where, link, state, rights);
    else leave = state.exam ? await exam(main, where, state) : home(main, where, rights);
    const there = where.textContent;
    document.title = there ? `${there} - Whoknew` : "Whoknew";
  } catch (problem) {
    document.title = "Whoknew";
    replace(main, el("h1", {}, "This cannot be shown"), el("p", { class: "error", role: "alert" }, problem.message),
      el("p", {}, el("button", { onclick: show }, "Try again"), " ", el("a", { href: "/", "data-go": true }, "All worlds")));
  }
}

/** A token is forgotten with its tab, unless one says otherwise. */
function keeping() {
  const kept = remembered();
  replace(keep, kept === null ? null : el("button", { type: "button", class: "small", title: kept ? "The token is kept in this browser until you have it forgotten" : "The token is forgotten with this tab: keep it in this browser, on a device of your own", onclick: () => { remember(!kept); keeping(); } }, kept ? "Forget me" : "Remember me"));
}

heard(show);
addEventListener("pageshow", (event) => event.persisted && location.reload()); // not what was seen from another seat
show();
