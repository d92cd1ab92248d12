// Calls of a world in figures: by character, purpose and model; and those that failed, each a link to its line.

import { about } from "./api.js";
import { el, replace } from "./dom.js";
import { failure, link } from "./mentions.js";
import { initialled } from "./people.js";
import { counted, dollars } from "./words.js";

const PAGE = 50;
const HEADS = ["who", "for", "model", "calls", "failed", "made again", "tokens", "cost", "seconds"];
const BY = { "": "character, purpose and model", character: "character", purpose: "purpose", model: "model" };

export function spending(store, panel) {
  let skip = 0;
  let by = "";
  async function load() {
    try {
      const found = await about(store.world, "calls", { skip, limit: PAGE });
      replace(panel, failures(store, found, (to) => { skip = to; load(); }), picking(found), table(store, found, by));
    } catch (problem) {
      replace(panel, failure(problem));
    }
  }
  const picking = () => el("label", {}, "Calls by", el("select", { name: "by", onchange: (event) => { by = event.target.value; load(); } }, Object.entries(BY).map(([value, text]) => el("option", { value, selected: value === by }, text))));
  load();
  return { happened: () => store.follow && load() };
}

/** Rows that are alike in what is asked for, put together: sums of the sums that the server counted. */
function grouped(rows, by) {
  if (!by) return rows;
  const groups = new Map();
  for (const one of rows) {
    const sum = groups.get(one[by]) ?? { character: "", purpose: "", model: "", [by]: one[by], calls: 0, failed: 0, repeated: 0, tokens: 0, money: 0, seconds: 0 };
    for (const name of ["calls", "failed", "repeated", "tokens", "seconds"]) sum[name] += one[name];
    sum.money = sum.money === null || one.money === null ? null : sum.money + one.money;
    groups.set(one[by], sum);
  }
  return [...groups.values()];
}

function table(store, found, by) {
  if (!found.rows.length) return el("p", { class: "soft" }, "No model was asked anything.");
  const row = (one, name) => el("tr", {}, el("th", { scope: "row" }, name), [one.purpose, one.model, one.calls.toLocaleString(), one.failed ? el("span", { class: "error" }, one.failed.toLocaleString()) : "0", one.repeated.toLocaleString(), one.tokens.toLocaleString(), one.money === null ? "unknown" : dollars(one.money), one.seconds.toFixed(1)].map((cell) => el("td", {}, cell)));
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Calls" }, el("table", { class: "figures" },
    el("caption", {}, `What calls came to, up to #${found.head.toLocaleString()}`),
    el("thead", {}, el("tr", {}, HEADS.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, grouped(found.rows, by).map((one) => row(one, one.character ? initialled(store, one.character) : one.purpose || one.model ? "" : "nobody"))),
    el("tfoot", {}, row(found.sum, "all"))));
}

function failures(store, found, turn) {
  if (!found.total_failed) return el("p", { class: "good" }, "Nothing failed.");
  const last = found.skipped + found.failed.length;
  return [
    el("h2", {}, `What failed: ${found.total_failed.toLocaleString()}`),
    el("ul", { class: "known" }, found.failed.map((one) => el("li", {}, link(store, one.seq), one.episode ? ` E${one.episode}.T${one.turn} ` : " ", el("strong", {}, one.character || "nobody"), `, ${one.what}${one.model ? ` of ${one.model}` : ""}: `, el("span", { class: "error" }, one.error)))),
    found.skipped ? el("button", { type: "button", onclick: () => turn(Math.max(0, found.skipped - PAGE)) }, "Newer ones") : null,
    last < found.total_failed ? el("button", { type: "button", onclick: () => turn(last) }, `Earlier ones, of ${counted(found.total_failed, "failure")}`) : null,
  ];
}
