// Elements, made of text alone: what models wrote is never HTML. Signs that turn text round are spelt out, as
// on a terminal: they would turn what stands beside them, too.

const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const spelt = (sign) => `\\u${sign.charCodeAt(0).toString(16)}`;
const PLAIN = ["title", "aria-label"];

/** A text as it is shown. */
export const plain = (text) => (typeof text === "string" ? text.replace(TURNING, spelt) : text);

export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : PLAIN.includes(name) ? plain(value) : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined).map(plain));
  return node;
}

export const option = (value, text = value, selected = false) => el("option", { value, selected }, text);

export function replace(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter(Boolean).map(plain));
  return node;
}

/** A form that does something with its fields, and says what went wrong. */
export function form(fields, label, act, { kind = "main" } = {}) {
  const error = el("p", { class: "error", role: "alert" });
  const button = el("button", { class: kind, type: "submit" }, label);
  return el("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const data = Object.fromEntries(new FormData(event.currentTarget));
      error.textContent = "";
      button.disabled = true;
      try {
        await act(data, event.target);
      } catch (problem) {
        replace(error, problem.message);
      }
      button.disabled = false;
    },
  }, ...fields, el("div", { class: "row" }, button), error);
}

export const field = (label, control) => el("label", {}, label, control);
