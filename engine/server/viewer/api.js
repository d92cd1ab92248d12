// What the server is asked. A token in the address is kept for the session, and taken out of it.

const KEY = "whoknew-token";
const given = new URLSearchParams(location.search).get("token");
if (given) {
  sessionStorage.setItem(KEY, given);
  const clean = new URL(location.href);
  clean.searchParams.delete("token");
  history.replaceState(null, "", clean);
}
const token = () => sessionStorage.getItem(KEY);

async function ask(path, options = {}) {
  const headers = { ...(token() ? { Authorization: `Bearer ${token()}` } : {}) };
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer: is it still running?");
  }
  const found = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw Object.assign(new Error(found.error), { status: response.status });
  return found;
}

const query = (values) => {
  const there = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return there.length ? `?${new URLSearchParams(there)}` : "";
};
const of = (world) => `/api/worlds/${encodeURIComponent(world)}`;

export const get = (path, values = {}, options = {}) => ask(path + query(values), options);
export const post = (path, body = {}) => ask(path, { method: "POST", body: JSON.stringify(body) });
export const about = (world, what, values, options) => get(`${of(world)}${what ? `/${what}` : ""}`, values, options);
export const leave = (world) => ask(`${of(world)}/seats`, { method: "DELETE" });
export const change = (world, what, body) => post(`${of(world)}/${what}`, body);

export function stream(world, from, who) {
  const values = query({ from: `#${from}`, as: who, token: token() });
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}/worlds/${encodeURIComponent(world)}/stream${values}`, "whoknew.v1");
}
