// The page: which part of it an address shows.

import { get } from "./api.js";
import { heard, read } from "./address.js";
import { exam } from "./exams.js";
import { home } from "./home.js";
import { world } from "./world.js";
import { el, replace } from "./dom.js";

const main = document.getElementById("main");
const where = document.getElementById("where");
const link = document.getElementById("link");
let leave = () => {};

async function show() {
  leave();
  leave = () => {};
  link.textContent = "";
  link.className = "";
  try {
    const rights = await get("/api/version");
    const state = read();
    if (rights.right === "view" && !state.world) state.world = rights.world;
    if (rights.right === "nothing") throw new Error("this server needs a token: open the page as ?token=...");
    if (state.world) leave = await world(main, where, link, state, rights);
    else leave = state.exam ? await exam(main, where, state) : home(main, where, rights);
  } catch (problem) {
    replace(main, el("h1", {}, "This cannot be shown"), el("p", { class: "error", role: "alert" }, problem.message),
      el("p", {}, el("button", { onclick: show }, "Try again"), " ", el("a", { href: "/", "data-go": true }, "All worlds")));
  }
}

heard(show);
addEventListener("pageshow", (event) => event.persisted && location.reload()); // not what was seen from another seat
show();
