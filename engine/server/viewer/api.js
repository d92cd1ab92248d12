// What the server is asked. A token in the address is kept for the session, and taken out of it.

import { isBundle } from "./bundled_files.js";

const KEY = "whoknew-token";
const clean = new URL(location.href);
const hash = new URLSearchParams(clean.hash.slice(1)); // what stands behind # is sent to no server
const given = hash.get("token") ?? clean.searchParams.get("token");

/** The invitation that one came by, for as long as the page is open. */
export const invitation = isBundle ? null : hash.get("invite");

if (!isBundle && (given || invitation)) {
  if (given) use(given);
  clean.searchParams.delete("token");
  clean.hash = "";
  history.replaceState(null, "", clean);
}

/** From now on ask with this token, or with none. It is kept for this tab. */
export function use(token) {
  localStorage.removeItem(KEY);
  sessionStorage.removeItem(KEY);
  if (token) sessionStorage.setItem(KEY, token);
}

const token = () => sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);

/** Whether there is a token, and this device remembers it for other tabs and other days. */
export const remembered = () => (token() === null ? null : localStorage.getItem(KEY) !== null);

export function remember(kept) {
  const known = token();
  localStorage.removeItem(KEY);
  if (known) (kept ? localStorage : sessionStorage).setItem(KEY, known);
  if (known && kept) sessionStorage.removeItem(KEY);
}

/** Ask by an invitation, and by nothing else that one has. */
export const asInvited = (token, path, options = {}) => ask(path, { ...options, token });

async function ask(path, options = {}, values = {}) {
  if (isBundle) return (await import("./bundle.js")).answer(path, values);
  const known = options.token ?? token();
  const headers = { ...(known ? { Authorization: `Bearer ${known.replace(/[^\0-\xff]/g, "?")}` } : {}) }; // no header has other signs
  let response;
  try {
    response = await fetch(path + query(values), { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer: is it still running?");
  }
  const found = await response.json().catch(() => ({ error: response.statusText }));
  const total = response.headers.get("X-Total-Count");
  if (total !== null && Array.isArray(found)) found.total = Number(total); // of a list of which this is a page
  if (!response.ok) throw Object.assign(new Error(found.error), { status: response.status });
  return found;
}

const query = (values) => {
  const there = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return there.length ? `?${new URLSearchParams(there)}` : "";
};
const of = (world) => `/api/v1/worlds/${encodeURIComponent(world)}`;

export const get = (path, values = {}, options = {}) => ask(path, options, values);
export const post = (path, body = {}) => ask(path, { method: "POST", body: JSON.stringify(body) });
export const about = (world, what, values, options) => get(`${of(world)}${what ? `/${what}` : ""}`, values, options);
export const uninvite = (world, id) => ask(`${of(world)}/invitations/${encodeURIComponent(id)}`, { method: "DELETE" });
export const leave = (world) => ask(`${of(world)}/seats`, { method: "DELETE" });
export const change = (world, what, body) => post(`${of(world)}/${what}`, body);

/** Hear that something happened in a world, until one does not want to any more. */
export function followed(world, heard) {
  const events = new EventSource(`${of(world)}/stream${query({ from: "end", token: token() })}`);
  events.onmessage = ({ data }) => { if (JSON.parse(data).type === "events") heard(); };
  return () => events.close();
}

/** What happens in a world from now on; in a bundle nothing does. */
export function stream(world, from, who) {
  if (isBundle) return { close() {} };
  const values = query({ from: `#${from}`, as: who, token: token() });
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}/api/v1/worlds/${encodeURIComponent(world)}/stream${values}`, "whoknew.v1");
}
