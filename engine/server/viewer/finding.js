// A search in the story: in all of it, or in what the character can know through whose eyes one looks. The
// server looks, so that nobody finds what they may not see.

import { about } from "./api.js";
import { el, replace } from "./dom.js";
import { link, told } from "./mentions.js";
import { counted } from "./words.js";

const MOST = 50;

export function finding(store) {
  const input = el("input", { type: "search", name: "words", "aria-label": "Find in the story", placeholder: "Find in the story" });
  const list = el("div", { class: "finds", role: "status", hidden: true });
  let late = 0;

  /** What was found, the best match first: of what one character can know, by its own memory's search. */
  async function found(words) {
    const at = `#${store.cursor}`;
    if (store.lens) {
      const { found } = await about(store.world, "recall", { as: store.lens, words, at, k: MOST });
      return { total: found.length, rows: found.map((one) => [link(store, one.seq ?? one.number), " ", el("bdi", {}, one.text)]) };
    }
    const { total, rows } = await about(store.world, "knowledge", { about: words, at, limit: MOST });
    return { total, rows: rows.map(({ event }) => [link(store, event.seq), " ", told(event)]) };
  }

  async function look(words) {
    const mine = ++late;
    list.hidden = !words;
    if (!words) return;
    try {
      const { total, rows } = await found(words);
      if (mine !== late) return;
      const more = total > rows.length ? `, the best ${rows.length}` : "";
      replace(list, el("p", { class: "soft" }, `${counted(total, "line")} ${store.lens ? `that ${store.lens} knows of` : "up to here"}${more}`, " ", close()), el("ul", { class: "known", tabindex: "0", "aria-label": "What was found" }, rows.map((row) => el("li", {}, row))));
    } catch (problem) {
      if (mine === late) replace(list, el("p", { class: "error" }, problem.message, " ", close()));
    }
  }

  const close = () => el("button", { type: "button", onclick: () => { list.hidden = true; input.focus(); } }, "Close");
  const node = el("form", { class: "find", role: "search", onsubmit: (event) => { event.preventDefault(); look(input.value.trim()); } }, input);
  return { node, list };
}
