// Where the server shows nothing by the token that one has, or has none: another is given, or it is forgotten.

import { remembered, use } from "./api.js";
import { el, field, form, replace } from "./dom.js";

/** Asked for; whoever has answered is shown the page. */
export function asking(show) {
  return (main) => {
    const known = remembered() !== null;
    const input = el("input", { name: "token", type: "password", required: true, autocomplete: "off" });
    const forget = el("button", { type: "button", onclick: () => { use(null); show(); } }, "Forget it");
    replace(main, el("h1", {}, "This cannot be shown"),
      el("p", { class: "error", role: "alert" }, `This server ${known ? "does not know this token, or does not any more" : "needs a token"}.`),
      form([field(known ? "Another token" : "Your token", input)], "Open with it", ({ token }) => { use(token.trim()); return show(); }),
      known ? el("p", {}, "Or go on without a token: ", forget) : null);
    input.focus();
  };
}
