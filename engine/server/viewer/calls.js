// Calls of a model: what it was given, to the byte, and what it answered.

import { el } from "./dom.js";

export const calls = (made) => made.map((call) => [
  el("h2", {}, `Call #${call.seq}, to ${call.called.purpose}`),
  (call.messages ?? []).map((message) => [el("small", {}, message.role), el("pre", {}, message.content)]),
  call.called.left_out ? el("p", { class: "soft left-out" }, `left out for want of room: ${call.called.left_out.toLocaleString("en")} tokens`) : null,
  call.digest ? el("p", { class: call.digest === call.called.digest ? "good" : "error" }, call.digest === call.called.digest ? "To the byte what the model was given (its digest agrees)." : "Not what the model was given: a prompt, a memory or the plan has changed since.") : el("p", { class: "soft" }, "The prompt is not on the log."),
  el("small", {}, "answered"), el("pre", {}, call.called.reply ?? `nothing: ${call.called.error}`),
  el("small", {}, `${call.called.model}, ${call.called.tokens_in ?? "?"} tokens in, ${call.called.tokens_out ?? "?"} out, ${(call.called.seconds ?? 0).toFixed(2)} s, ${call.called.attempts ?? 1} attempt(s)`),
]);
