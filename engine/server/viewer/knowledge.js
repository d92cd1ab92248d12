// Who knows what: events by characters, events by who knows of them, and how one came to be known.

import { about, change } from "./api.js";
import { write } from "./address.js";
import { el, field, form, option, replace } from "./dom.js";
import { failure, link, people, told } from "./mentions.js";
import { badge } from "./people.js";
import { counted } from "./words.js";

const SIGNS = { present: "●", told: "◐", absent: "○", future: "·" };
const OPEN = "?"; // whether they witnessed it is left open
const STYLES = { present: "present", told: "toldof", absent: "absent", future: "future" };
const FALSE = "!"; // was told otherwise
const SURENESS = { 1: "declared, or said by a person", 0.8: "those at least .8 sure", 0.5: "those more likely so than not", 0: "all that were found" };
const PAGE = 20;
const LEAST = 0.75; // so small a picture is drawn, to be seen as a whole, and can still be read
const ORDERS = { "": "as they are found", most: "those first that most know of", fewest: "those first that fewest know of" };
const WHICH = { "": "whoever knows of them", only: "that nobody else knows of but", not: "that others know of, but not", new: "that came to be known to" };

export function knows(store, panel) {
  const input = el("input", { name: "about", value: store.about, placeholder: "words, a seq, or 12-20" });
  const which = el("select", { name: "which" }, Object.entries(WHICH).filter(([name]) => name !== "new" || !store.rights.bundle).map(([name, text]) => option(name, text, name === store.asked.which)));
  const who = people(store, { name: "who" }, store.asked.who);
  const span = el("input", { name: "span", value: store.asked.span, placeholder: "E4, E4.T5, or 90-126" });
  const sure = el("select", { name: "sure" }, (store.rights.bundle ? ["0.5"] : ["1", "0.8", "0.5", "0"]).map((least) => option(least, SURENESS[least], least === "0.5")));
  const order = el("select", { name: "order" }, Object.entries(ORDERS).map(([name, text]) => option(name, text, name === store.asked.order)));
  const sorted = field("In which order", order);
  const [events, whose, when] = [field("Who knows of", input), field("Whom", who), field("In", span)];
  const table = el("div", { class: "wide" });
  let late = 0, skip = 0;
  const turn = (to) => () => { skip = to; return load(); };
  const fit = () => {
    whose.hidden = !which.value;
    when.hidden = which.value !== "new";
    events.hidden = which.value === "new";
    sorted.hidden = which.value === "new";
    if (which.value === "new" && !span.value) span.value = here(store);
  };
  which.addEventListener("change", fit);
  fit();
  const ask = () => {
    const at = `#${store.cursor}`;
    const asked = store.asked;
    if (asked.which === "new") return about(store.world, "learnt", { at, who: asked.who, new: asked.span, skip, sure: sure.value });
    return about(store.world, "knowledge", { at, about: store.about, skip, sure: sure.value, order: asked.order, ...(asked.which ? { [asked.which]: asked.who } : {}) });
  };
  const hint = () => replace(table, el("p", { class: "soft" }, "Search for some words, or mark an event as a secret, to see who knows of it."));
  async function load() {
    const mine = ++late;
    if (!store.about && !store.asked.which && !store.facts.marks.some((mark) => mark.secret)) return hint();
    try {
      const found = await ask();
      if (mine !== late) return;
      const open = table.querySelector("[aria-expanded=true]")?.dataset.cell;
      const inside = table.contains(document.activeElement);
      replace(table, store.asked.which === "new" ? news(store, found, sure.value) : matrix(store, found, sure.value), pages(store, found, turn));
      if (open) reopened(table, open, inside);
    } catch (problem) {
      if (mine === late) replace(table, failure(problem));
    }
  }
  let chosen = false; // what is chosen is shown at once; what was written is shown, and gone to, when it is sent
  const pair = (...fields) => el("div", { class: "row" }, fields);
  const search = form([events, pair(field("Events", which), whose, when), pair(sorted, field("Tellings that count", sure))], "Show", async (data) => {
    skip = 0;
    store.about = data.about;
    store.asked = { ...(data.which ? { which: data.which, who: data.who, span: data.which === "new" ? data.span : "" } : { which: "", who: "", span: "" }), order: data.order };
    write({ about: store.about, ...store.asked });
    const stay = chosen;
    chosen = false;
    await load();
    if (!stay) table.scrollIntoView({ block: "nearest" });
  });
  search.addEventListener("change", ({ target }) => {
    if (!target.matches("select")) return;
    chosen = true;
    search.requestSubmit();
  });
  const secret = store.controls ? marking(store, () => {
    store.about = input.value = which.value = "";
    store.asked = { which: "", who: "", span: "" };
    fit();
    return load();
  }) : null;
  replace(panel, search, table, secret);
  load();
  return { moved: turn(0), happened: () => store.follow && load() };
}

/** A name for what stands at the cursor, as a secret. */
function marking(store, done) {
  const where = el("summary", {}, "Mark this event as a secret");
  const name = el("input", { name: "name", required: true, maxlength: "400" });
  const details = el("details", {}, where, form([field("Its name", name)], "Mark it", async (data) => {
    const mark = await change(store.world, "marks", { name: data.name, at: `#${store.cursor}`, secret: true });
    store.facts.marks.push(mark);
    name.value = "";
    details.open = false;
    await done();
  }));
  return details;
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

function matrix(store, found, sure) {
  if (!found.rows.length) return el("p", { class: "soft" }, "Nothing.");
  const columns = found.characters.length > 12 ? found.knowing : found.characters;
  const head = el("thead", {}, el("tr", {}, el("th"), columns.map((who) => el("th", { scope: "col" }, el("span", { title: who }, who), badge(store, who)))));
  const rows = found.rows.map((row) => {
    const cells = row.cells.filter((cell) => columns.includes(cell.character));
    return el("tr", {},
      el("th", { scope: "row" }, link(store, row.event.seq), " ", row.mark ? el("em", {}, `${row.mark}: `) : "", told(row.event), " ", coloured(store, row.event.seq), graphed(store, row.event.seq, sure)),
      cells.map((cell) => el("td", {}, sign(store, row.event.seq, cell, sure))));
  });
  const counts = columns.map((who) => found.counts[found.characters.indexOf(who)]);
  const totals = el("tr", {}, el("th", { scope: "row" }, `know of, of all ${counted(found.total, "event")}`), counts.map((count) => el("td", {}, count.toLocaleString())));
  const left = found.characters.length - columns.length;
  const legend = el("p", {}, Object.entries(SIGNS).map(([answer, sign]) => el("span", { class: STYLES[answer] }, `${sign} ${answer}  `)), found.rows.some((row) => row.cells.some((cell) => cell.doubt)) ? `${OPEN} left open  ` : "", found.rows.some((row) => row.cells.some((cell) => cell.otherwise)) ? `${FALSE} told otherwise` : "");
  return [legend, el("table", { class: "matrix" }, head, el("tbody", {}, rows), el("tfoot", {}, totals)),
    left ? el("p", { class: "soft" }, `${counted(left, "other")} know of none of it.`) : null];
}

/** One cell: a click tells how the knowledge came. */
function sign(store, event, cell, sure) {
  const open = cell.doubt && cell.answer !== "told";
  const found = how(cell).textContent?.trimEnd();
  const said = `${found ? ` ${found}` : ""}${cell.otherwise ? `, told otherwise at #${cell.otherwise.at}: ${cell.otherwise.text}` : ""}`;
  const says = `${cell.character}: ${cell.answer}${cell.by ? ` by ${cell.by}` : ""}${said}${open ? `, left open: ${cell.doubt}` : ""}`;
  const props = { type: "button", class: STYLES[cell.answer], title: says, "aria-label": says };
  return el("button", { ...props, "aria-expanded": "false", "data-cell": `${event} ${cell.character}`, onclick: ({ currentTarget }) => beside(currentTarget, () => trace(store, event, cell, sure)) }, cell.otherwise && cell.answer === "absent" ? FALSE : open ? OPEN : SIGNS[cell.answer]);
}

/** How one learnt it stays in sight where one jumps to a line of that. */
function reopened(table, cell, focus) {
  const button = table.querySelector(`[data-cell="${CSS.escape(cell)}"]`);
  button?.click();
  if (focus) button?.focus({ preventScroll: true });
}

async function trace(store, event, cell, sure) {
  const steps = await about(store.world, "trace", { at: `#${store.cursor}`, event, character: cell.character, sure });
  const parts = steps.map((step) => [" ← ", step.answer === "told" ? el("span", { class: "toldof" }, `told by ${step.by ?? "a page"} at `, link(store, step.at), " ", how(step)) : el("span", { class: STYLES[step.answer] }, step.answer, step.answer === "present" ? [" at ", link(store, step.event)] : "")]);
  return el("p", { class: "card" }, el("strong", {}, cell.character), ...parts.flat());
}

/** An answer, right below what was asked, in sight; asked once more it goes. One stands open at a time. */
async function beside(button, answer) {
  const panel = button.closest(".panel");
  const open = panel.querySelector("[aria-expanded=true]");
  panel.querySelector(".answer")?.remove();
  open?.setAttribute("aria-expanded", "false");
  if (open === button) return;
  button.setAttribute("aria-expanded", "true");
  const found = await answer().catch(failure);
  if (button.getAttribute("aria-expanded") !== "true" || !button.isConnected) return;
  const row = button.closest("tr");
  const node = row ? el("tr", { class: "answer" }, el("td", { colspan: String(row.childElementCount) }, el("div", { role: "status" }, found))) : el("div", { class: "answer", role: "status" }, found);
  (row ?? button.closest("p, li")).after(node);
  node.scrollIntoView({ block: "nearest" });
}

/** What somebody came to know: each speech with what it told of, then what they witnessed. */
function news(store, found, sure) {
  if (!found.total) return el("p", { class: "soft" }, "Nothing.");
  const what = (row) => [link(store, row.event.seq), " ", row.mark ? el("em", {}, `${row.mark}: `) : "", told(row.event), " ", graphed(store, row.event.seq, sure)];
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

/** In the picture of the story, above. */
const coloured = (store, event) => el("button", { type: "button", class: "seqlink", "aria-label": `Colour who knows of #${event} in the picture`, onclick: () => store.colour(event) }, "colour");

const graphed = (store, event, sure) => (store.rights.bundle ? null : el("button", { type: "button", class: "seqlink", "aria-label": `Graph of #${event}`, "aria-expanded": "false", onclick: ({ currentTarget }) => beside(currentTarget, () => graph(store, event, sure)) }, "graph"));

/** How an event came to be known: the picture that the server draws, and the same in words. */
async function graph(store, event, sure) {
  const { spread, sentences, picture } = await about(store.world, "spread", { at: `#${store.cursor}`, event, sure });
  const src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
  const steps = spread.tellings.map(({ speech, by, to, unknowing, otherwise }) => el("li", {}, link(store, speech.seq), ` ${by ?? "a page"}${unknowing ? ", who could not know of it," : ""} tells `, to.map((cell, n) => [n ? ", " : "", cell.character, " ", how(cell)]), otherwise ? ` otherwise: ${otherwise}` : ""));
  const image = el("img", { src, alt: sentences.join(" ") });
  await image.decode();
  image.style.minWidth = `${LEAST * image.naturalWidth}px`;
  return el("section", { class: "card", "aria-label": `How #${event} came to be known` },
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "The picture" }, image),
    steps.length ? el("ol", { class: "known" }, steps) : null,
    el("p", { class: "soft" }, sentences.slice(1 + steps.length).join(" ")),
    el("a", { href: src, download: `${store.world}-${event}.svg` }, "Save the picture"));
}
