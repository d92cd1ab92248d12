// What a player has begun to write, kept in this browser until it is taken: through tabs, reloads, refusals.

const key = (store) => `whoknew-draft:${store.world}:${store.only}`;

/** The form as it was left: its fields by name, and the number of the turn that it was sent for. */
export function kept(store) {
  try {
    return JSON.parse(localStorage.getItem(key(store)) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

export function keep(store, draft) {
  if (Object.values(draft).some((value) => (Array.isArray(value) ? value.length : value))) localStorage.setItem(key(store), JSON.stringify(draft));
  else forget(store);
}

export const forget = (store) => localStorage.removeItem(key(store));

/** What was taken is forgotten; not what another tab has begun to write meanwhile. */
export function taken(store, text) {
  if ((kept(store).text ?? "") === text) forget(store);
}
