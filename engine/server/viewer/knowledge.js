// Who knows what: events by characters, events by who knows of them, and how one came to be known.

import { about, change } from "./api.js";
import { write } from "./address.js";
import { el, field, form, option, replace } from "./dom.js";
import { failure, link, people, told } from "./mentions.js";
import { counted } from "./words.js";

const SIGNS = { present: "●", told: "◐", absent: "○", future: "·" };
const OPEN = "?"; // whether they witnessed it is left open
const STYLES = { present: "present", told: "toldof", absent: "absent", future: "future" };
const FALSE = "!"; // was told otherwise
const SURENESS = { 1: "declared, or said by a person", 0.8: "those at least .8 sure", 0.5: "those more likely so than not", 0: "all that were found" };
const PAGE = 20;
const WHICH = { "": "whoever knows of them", only: "that nobody else knows of but", not: "that others know of, but not", new: "that came to be known to" };

export function knows(store, panel) {
  const input = el("input", { name: "about", value: store.about, placeholder: "words, a seq, or 12-20" });
  const which = el("select", { name: "which" }, Object.entries(WHICH).map(([name, text]) => option(name, text, name === store.asked.which)));
  const who = people(store, { name: "who" }, store.asked.who);
  const span = el("input", { name: "span", value: store.asked.span, placeholder: "E4, E4.T5, or 90-126" });
  const sure = el("select", { name: "sure" }, ["1", "0.8", "0.5", "0"].map((least) => option(least, SURENESS[least], least === "0.5")));
  const [events, whose, when] = [field("Who knows of", input), field("Whom", who), field("In", span)];
  const table = el("div", { class: "wide" });
  const below = el("div", { "aria-live": "polite" });
  let late = 0, skip = 0;
  const turn = (to) => () => { skip = to; replace(below); return load(); };
  const fit = () => {
    whose.hidden = !which.value;
    when.hidden = which.value !== "new";
    events.hidden = which.value === "new";
    if (which.value === "new" && !span.value) span.value = here(store);
  };
  which.addEventListener("change", fit);
  fit();
  const ask = () => {
    const at = `#${store.cursor}`;
    const asked = store.asked;
    if (asked.which === "new") return about(store.world, "learnt", { at, who: asked.who, new: asked.span, skip, sure: sure.value });
    return about(store.world, "knowledge", { at, about: store.about, skip, sure: sure.value, ...(asked.which ? { [asked.which]: asked.who } : {}) });
  };
  async function load() {
    const mine = ++late;
    try {
      const found = await ask();
      if (mine === late) replace(table, store.asked.which === "new" ? news(store, found, below, sure.value) : matrix(store, found, below, sure.value), pages(store, found, turn));
    } catch (problem) {
      if (mine === late) replace(table, problem.message.includes("no secrets marked") ? el("p", { class: "soft" }, "Search for some words, or mark an event as a secret, to see who knows of it.") : failure(problem));
    }
  }
  const search = form([events, field("Events", which), whose, when, field("Tellings that count", sure)], "Show", async (data) => {
    skip = 0;
    store.about = data.about;
    store.asked = data.which ? { which: data.which, who: data.who, span: data.which === "new" ? data.span : "" } : { which: "", who: "", span: "" };
    write({ about: store.about, ...store.asked });
    replace(below);
    await load();
  });
  const secret = store.controls ? el("button", { type: "button", onclick: async () => {
    const name = prompt(`A name for the secret at #${store.cursor}:`);
    if (!name) return;
    await change(store.world, "marks", { name, at: `#${store.cursor}`, secret: true }).then((mark) => {
      store.facts.marks.push(mark);
      store.about = input.value = which.value = "";
      store.asked = { which: "", who: "", span: "" };
      fit();
      return load();
    }, (problem) => replace(table, failure(problem)));
  } }, "Mark this event as a secret") : null;
  replace(panel, search, table, below, secret ? el("p", {}, secret) : null);
  load();
  return { moved: turn(0), happened: () => store.follow && load() };
}

const here = (store) => `E${store.facts.episodes.findLast((one) => one.first <= store.cursor)?.number ?? 1}`;

function pages(store, found, turn) {
  const last = found.skipped + found.rows.length;
  const text = found.rows.length === found.total ? counted(found.total, "event") : `${found.skipped + 1}-${last} of ${counted(found.total, "event")}`;
  return el("p", { class: "soft" }, text, " ",
    found.skipped ? el("button", { type: "button", onclick: turn(Math.max(0, found.skipped - PAGE)) }, "Earlier ones") : null, " ",
    last < found.total ? el("button", { type: "button", onclick: turn(last) }, "Further ones") : null,
    found.told ? null : found.looked === false ? [" Nobody is declared to be told of any of it. Tellings were not looked for: ", el("code", {}, `whoknew tellings ${store.world}`)] : " Nobody was told of any of it.");
}

function matrix(store, found, below, sure) {
  if (!found.rows.length) return el("p", { class: "soft" }, "Nothing.");
  const columns = found.characters.length > 12 ? found.knowing : found.characters;
  const head = el("thead", {}, el("tr", {}, el("th"), columns.map((who) => el("th", { scope: "col" }, el("span", {}, who)))));
  const rows = found.rows.map((row) => {
    const cells = row.cells.filter((cell) => columns.includes(cell.character));
    return el("tr", {},
      el("th", { scope: "row" }, link(store, row.event.seq), " ", row.mark ? el("em", {}, `${row.mark}: `) : "", told(row.event), " ", graphed(store, row.event.seq, below, sure)),
      cells.map((cell) => el("td", {}, sign(store, row.event.seq, cell, below, sure))));
  });
  const legend = el("p", {}, Object.entries(SIGNS).map(([answer, sign]) => el("span", { class: STYLES[answer] }, `${sign} ${answer}  `)), found.rows.some((row) => row.cells.some((cell) => cell.doubt)) ? `${OPEN} left open  ` : "", found.rows.some((row) => row.cells.some((cell) => cell.otherwise)) ? `${FALSE} told otherwise` : "");
  return [legend, el("table", { class: "matrix" }, head, el("tbody", {}, rows))];
}

/** One cell: a click tells how the knowledge came. */
function sign(store, event, cell, below, sure) {
  const open = cell.doubt && cell.answer !== "told";
  const found = how(cell).textContent?.trimEnd();
  const said = `${found ? ` ${found}` : ""}${cell.otherwise ? `, told otherwise at #${cell.otherwise.at}: ${cell.otherwise.text}` : ""}`;
  const says = `${cell.character}: ${cell.answer}${cell.by ? ` by ${cell.by}` : ""}${said}${open ? `, left open: ${cell.doubt}` : ""}`;
  const props = { type: "button", class: STYLES[cell.answer], title: says, "aria-label": says };
  return el("button", { ...props, onclick: () => trace(store, event, cell, below, sure) }, cell.otherwise && cell.answer === "absent" ? FALSE : open ? OPEN : SIGNS[cell.answer]);
}

async function trace(store, event, cell, below, sure) {
  try {
    const steps = await about(store.world, "trace", { at: `#${store.cursor}`, event, character: cell.character, sure });
    const parts = steps.map((step) => [" ← ", step.answer === "told" ? el("span", { class: "toldof" }, `told by ${step.by ?? "a page"} at `, link(store, step.at), " ", how(step)) : el("span", { class: STYLES[step.answer] }, step.answer, step.answer === "present" ? [" at ", link(store, step.event)] : "")]);
    replace(below, el("p", { class: "card" }, el("strong", {}, cell.character), ...parts.flat()));
  } catch (problem) {
    replace(below, failure(problem));
  }
}

/** What somebody came to know: each speech with what it told of, then what they witnessed. */
function news(store, found, below, sure) {
  if (!found.total) return el("p", { class: "soft" }, "Nothing.");
  const what = (row) => [link(store, row.event.seq), " ", row.mark ? el("em", {}, `${row.mark}: `) : "", told(row.event), " ", graphed(store, row.event.seq, below, sure)];
  const parts = [];
  let list = null, speech = null;
  for (const row of found.rows) {
    if (!row.speech) parts.push(el("p", {}, el("span", { class: "present" }, `${SIGNS.present} `), what(row)));
    else {
      if (row.speech.seq !== speech) {
        list = el("ul", { class: "known" });
        speech = row.speech.seq;
        parts.push(el("p", {}, el("span", { class: "toldof" }, `${SIGNS.told} `), link(store, speech), " ", told(row.speech)), list);
      }
      list.append(el("li", {}, "so knows of ", how(row.known), what(row)));
    }
  }
  return [el("p", { class: "soft" }, `Told of ${found.told.toLocaleString("en")}, witnessed ${found.witnessed.toLocaleString("en")}.`), parts];
}

/** How it is known that somebody was told, where the speech itself does not declare it. */
const how = ({ origin, score }) => (origin && origin !== "declared" ? el("span", { class: "soft" }, `(${origin}${score < 1 ? ` ${score.toFixed(2).slice(1)}` : ""}) `) : "");

const graphed = (store, event, below, sure) => el("button", { type: "button", class: "seqlink", "aria-label": `Graph of #${event}`, onclick: () => graph(store, event, below, sure) }, "graph");

/** How an event came to be known: the picture that the server draws, and the same in words. */
async function graph(store, event, below, sure) {
  try {
    const { spread, sentences, picture } = await about(store.world, "spread", { at: `#${store.cursor}`, event, sure });
    const src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    const steps = spread.tellings.map(({ speech, by, to, unknowing, otherwise }) => el("li", {}, link(store, speech.seq), ` ${by ?? "a page"}${unknowing ? ", who could not know of it," : ""} tells `, to.map((cell, n) => [n ? ", " : "", cell.character, " ", how(cell)]), otherwise ? ` otherwise: ${otherwise}` : ""));
    replace(below, el("section", { class: "card", "aria-label": `How #${event} came to be known` },
      el("div", { class: "wide" }, el("img", { src, alt: sentences.join(" ") })),
      steps.length ? el("ol", { class: "known" }, steps) : null,
      el("p", { class: "soft" }, sentences.slice(1 + steps.length).join(" ")),
      el("a", { href: src, download: `${store.world}-${event}.svg` }, "Save the picture")));
    below.scrollIntoView({ block: "nearest" });
  } catch (problem) {
    replace(below, failure(problem));
  }
}
