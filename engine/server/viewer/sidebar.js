// What stands beside a story: tabs, and the panel of one of them.

import { read } from "./address.js";
import { el, replace } from "./dom.js";
import { failure } from "./mentions.js";
import { PANELS } from "./panels.js";

const TABS = 120; // pixels, in which nothing of a panel but its tabs is seen

export function sidebar(store) {
  const panel = el("div", { class: "panel", role: "tabpanel", id: "panel", tabindex: "0" });
  const shown = Object.entries(PANELS).filter(([, one]) => one.for(store) && (one.bundled || !store.rights.bundle));
  const names = shown.map(([name]) => name);
  const tabs = shown.map(([name, one]) => el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", onclick: () => store.open(name), "data-panel": name }, one.title));
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Beside the story", onkeydown: (event) => along(event, tabs) }, tabs);
  const node = el("section", { class: "side", "aria-label": "Beside the story" }, list, panel);
  let current = null;
  let part = null;
  let opened = 0;
  const close = () => {
    opened += 1;
    part?.close?.();
    part = null;
  };
  const open = async () => {
    const name = names.includes(store.panel) ? store.panel : names[0];
    node.hidden = !name;
    if (!name) return;
    for (const tab of tabs) {
      const chosen = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    if (name !== current) replace(panel);
    node.parentElement?.setAttribute("data-panel", name);
    close();
    current = name;
    const mine = opened;
    const made = await PANELS[name].load().catch((problem) => (_, room) => replace(room, failure(problem)));
    if (mine !== opened) return;
    const room = el("div"); // of its own: what is answered late is seen nowhere
    replace(panel, room);
    part = made(store, room);
  };
  const insight = () => { // on a narrow screen it is below the story
    if (node.getBoundingClientRect().top > innerHeight - TABS) node.scrollIntoView({ block: "start" });
  };
  const hand = (what) => () => part?.[what]?.();
  return { node, names, close, has: (name) => names.includes(name), started() { open(); if (read().panel) insight(); }, opened() { open(); insight(); }, moved: hand("moved"), looked: hand("looked"), happened: hand("happened"), turned: hand("turned"), picked: hand("picked"), known: hand("known") };
}

/** From tab to tab by arrows, as tabs are gone along everywhere. */
function along(event, tabs) {
  const at = tabs.indexOf(event.target.closest("[role=tab]"));
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  event.stopPropagation(); // not a step in the story as well
  const tab = tabs.at(to % tabs.length);
  tab.focus();
  tab.click();
}
