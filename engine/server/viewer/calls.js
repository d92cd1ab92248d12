// Calls of a model: what it was given, to the byte, in its sections, and what it answered.

import { el } from "./dom.js";
import { counted, dollars } from "./words.js";

/** About how many tokens a text has: one for four bytes of it. */
const tokens = (text) => Math.ceil(new TextEncoder().encode(text).length / 4);

/** A message in its sections: each begins with a heading, since what is quoted in one begins no line with #. */
export function sections({ role, content }) {
  const parts = [];
  for (const line of content.split("\n")) {
    if (!parts.length || line.startsWith("# ")) parts.push({ title: line.startsWith("# ") ? line.slice(2) : role === "system" ? "Rules" : role, text: "" });
    if (!line.startsWith("# ")) parts.at(-1).text += `${line}\n`;
  }
  return parts.map((part) => ({ ...part, text: part.text.trim() }));
}

/** `marked` says which lines of a section are to be marked; without it none are. */
function section({ title, text }, marked) {
  const lines = text.split("\n").map((line) => (marked?.(title, line) ? el("mark", {}, `${line}\n`) : `${line}\n`));
  return el("details", { class: "section", open: true }, el("summary", {}, el("strong", {}, title), " ", el("small", {}, `about ${counted(tokens(text), "token")}`)), el("pre", {}, lines));
}

const agreement = (call, anonymous) => (call.digest
  ? el("p", { class: call.digest === call.called.digest ? "good" : "error" }, call.digest === call.called.digest ? `To the byte what the model was given (its digest agrees)${anonymous ? ", but for the names, which were taken out afterwards" : ""}.` : "Not what the model was given: a prompt, a memory or the plan has changed since.")
  : el("p", { class: "soft" }, "The prompt is not on the log."));

const figures = ({ model, tokens_in, tokens_out, seconds, attempts, money }) => [
  model, `${tokens_in ?? "?"} tokens in, ${tokens_out ?? "?"} out`, money == null ? "cost unknown" : dollars(money), `${(seconds ?? 0).toFixed(2)} s`, `${attempts ?? 1} attempt(s)`].join(", ");

export const calls = (made, { anonymous = false, marked = null } = {}) => made.map((call, place) => [
  el("h3", {}, `Call #${call.seq}, to ${call.called.purpose}${made.length > 1 ? `, ${place + 1} of ${made.length}` : ""}`),
  (call.messages ?? []).flatMap((message) => sections(message)).map((one) => section(one, marked)),
  call.called.left_out ? el("p", { class: "soft left-out" }, `left out for want of room: ${call.called.left_out.toLocaleString("en")} tokens`) : null,
  agreement(call, anonymous),
  el("small", {}, "answered"), call.called.reply == null ? el("p", { class: "error" }, `nothing: ${call.called.error}`) : el("pre", {}, call.called.reply),
  el("small", {}, figures(call.called)),
]);
