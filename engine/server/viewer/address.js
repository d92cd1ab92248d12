// Every state of the page is its address: world, cursor, lens, panel.

const listeners = new Set();

export const read = () => Object.fromEntries(new URLSearchParams(location.search));

/** Change some of it. A scrub takes the place of the last one; another page is a step of its own. */
export function write(changes, { step = false } = {}) {
  const values = { ...read(), ...changes };
  const kept = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const url = kept.length ? `${location.pathname}?${new URLSearchParams(kept)}` : location.pathname;
  if (step) history.pushState(null, "", url);
  else history.replaceState(null, "", url);
}

export function go(url) {
  history.pushState(null, "", location.pathname + url.replace(/^\//, "")); // of a bundle the page is no root
  tell();
}

export const heard = (listener) => listeners.add(listener);
const tell = () => listeners.forEach((listener) => listener());

addEventListener("popstate", tell);
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-go]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
