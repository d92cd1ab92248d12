// The timeline of a world: the story as a picture, with a cursor over it. Where one drags, the cursor alone
// moves; only another window, or other eyes, are drawn anew, and until then what was seen is stretched.

import { bands, overview } from "./bands.js";
import { el, replace } from "./dom.js";
import { painting } from "./painting.js";
import { counted } from "./words.js";

const LEAST = 8; // events of the nearest window
const FACTOR = 2;
const PATIENCE = 120; // ms after the last turn of a wheel
const FRESH = 1500; // ms until what has just happened is drawn
const RARELY = 10000; // the same, where nobody would see it yet: a browser frees a picture late, and an hour has thousands
const SEEN = 0.005; // of the width: so much more of a story is seen

export function timeline(store) {
  const back = el("canvas", { "aria-hidden": "true" });
  const image = el("img", { alt: "", draggable: "false", hidden: true });
  const cursor = el("i", { class: "cursor" });
  const says = el("p", { class: "aloud", id: "story-says" });
  const plot = el("div", { class: "plot", role: "slider", tabindex: "0", "aria-label": "Cursor in the story", "aria-describedby": "story-says" }, back, image, cursor);
  const along = el("canvas", { class: "along", "aria-hidden": "true", title: "Which part of the story is seen: drag it" });
  const colours = el("span", { class: "soft fact", role: "status" });
  const stand = el("span", { class: "stand" });
  const tool = (label, text, act) => el("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
  const nearer = [tool("Nearer", "+", () => zoom(1 / FACTOR)), tool("Further", "−", () => zoom(FACTOR))];
  const zooms = el("span", { class: "zoom", role: "group", "aria-label": "How much of the story" }, nearer,
    store.rights.bundle ? el("a", { href: "story.svg" }, "As a poster") : null,
    tool("This episode", "Episode", episode), tool("The whole story", "Whole", () => show(null)));
  const node = el("div", { class: "timeline" }, plot, along, says, el("div", { class: "row under" }, stand, colours, el("span", { class: "grow" }), zooms));
  const drawn = painting(store, plot, image);
  let span = null; // what is wanted to be seen: after and upto; all, where it is null
  let rect = null; // where the plot is on the screen, while it is dragged
  let timer = null, busy = false, again = false, asked = false;

  const all = () => [drawn.begins(), store.head];
  const wide = () => span ?? all();

  /** Another window, within the story; where only episodes are drawn, one of them. */
  function show(wanted, wait = 0) {
    const [begins, head] = all();
    if (wanted && drawn.fixed) wanted = bounds((wanted[0] + wanted[1]) / 2);
    else if (wanted) {
      const size = Math.max(LEAST, Math.min(wanted[1] - wanted[0], head - begins));
      const after = Math.round(Math.max(begins, Math.min(wanted[0], head - size)));
      wanted = size >= head - begins ? null : [after, Math.round(after + size)];
    }
    span = wanted;
    redraw();
    later(wait);
  }

  /** Nearer or further, with what is at a place staying there: at the cursor, where none is named. */
  function zoom(factor, place = store.cursor, wait = 0) {
    const [after, upto] = wide();
    const share = Math.max(0, Math.min(1, (place - after) / Math.max(1, upto - after)));
    const size = Math.max(LEAST, (upto - after) * factor);
    show([place - size * share, place + size * (1 - share)], wait);
  }

  /** From where to where the episode of a moment goes. */
  function bounds(seq) {
    const one = store.facts.episodes.findLast(({ first }) => first <= seq);
    return one ? [one.first - 1, one.last ?? store.head] : null;
  }

  function episode() {
    show(bounds(store.cursor));
  }

  /** Once for however many ask for it meanwhile: what nobody waits for waits. */
  function later(wait) {
    if (wait && timer) return;
    clearTimeout(timer);
    timer = setTimeout(load, wait);
  }

  /** One picture after another: the newest window once that of before is there. */
  async function load() {
    timer = null;
    again = busy;
    if (busy) return;
    busy = true;
    const found = await drawn.load(span).catch((problem) => ({ problem: problem.message }));
    busy = false;
    if (again) load();
    if (!found) return;
    if (drawn.fixed && span && found.story?.after !== span[0]) span = null; // it has none of that episode
    replace(says, (found.sentences ?? []).slice(0, 30).join(" "));
    said(found);
    redraw();
  }

  function said({ story, problem }) {
    const fact = story?.fact;
    if (!fact) return replace(colours, problem ?? null);
    const know = fact.learnt.filter((one) => one.how !== "otherwise").length;
    return replace(colours, `Coloured: ${counted(know, "character")} who came to know of #${fact.event}. `,
      el("button", { type: "button", class: "seqlink", onclick: () => store.colour(null) }, "No colours"));
  }

  /** What lies behind and beside the picture, with the next frame. */
  function redraw() {
    moved();
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      drawn.place(wide());
      bands(back, store, wide(), drawn.box(), image.hidden);
      overview(along, store, all(), span);
      node.closest(".world")?.style.setProperty("--picture", `${plot.clientHeight}px`);
    });
  }

  /** The cursor, where it stands in what is seen; what is read aloud moves with it. */
  function moved() {
    const [after, upto] = wide();
    const { left, right, top, bottom } = drawn.box();
    const share = (store.cursor - after) / Math.max(1, upto - after);
    cursor.hidden = share < 0 || share > 1;
    cursor.style.height = `${bottom - top + 20}px`;
    cursor.style.transform = `translate(${left + share * (right - left)}px, ${top - 14}px)`;
    const here = store.facts.episodes.findLast(({ first }) => first <= store.cursor);
    plot.setAttribute("aria-valuenow", String(store.cursor));
    plot.setAttribute("aria-valuemax", String(store.head));
    plot.setAttribute("aria-valuemin", String(Math.min(all()[0] + 1, store.cursor)));
    plot.setAttribute("aria-valuetext", `event ${store.cursor} of ${store.head}${here ? `, episode ${here.number}` : ""}`);
    const mine = store.follow && store.self?.place; // who plays is not always where the episode began
    replace(stand, `#${store.cursor.toLocaleString()} of ${store.head.toLocaleString()}` + (here ? `  ·  E${here.number} of ${store.facts.total}  ·  ${mine || (here.place ?? here.scenario)}` : ""));
    if (cursor.hidden && span && !rect) follow();
  }

  /** What is seen goes along with a cursor that has left it. */
  function follow() {
    const size = span[1] - span[0];
    show([store.cursor - size / 2, store.cursor + size / 2], PATIENCE);
  }

  const seqAt = (x) => {
    const [after, upto] = wide();
    const { left, right } = drawn.box();
    const share = (x - (rect ?? plot.getBoundingClientRect()).left - left) / (right - left);
    return after + Math.max(0, Math.min(1, share)) * (upto - after);
  };
  const to = (x, drag) => store.to(Math.max(all()[0] + 1, seqAt(x)), { drag });
  let latest = null;
  plot.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    rect = plot.getBoundingClientRect();
    plot.setPointerCapture(event.pointerId);
    to(event.clientX, true);
  });
  /** At most once a frame: however often a mouse says where it is. */
  plot.addEventListener("pointermove", ({ clientX }) => {
    if (!rect) return;
    if (latest === null) requestAnimationFrame(() => { if (rect) to(latest, true); latest = null; });
    latest = clientX;
  });
  for (const over of ["pointerup", "pointercancel"]) plot.addEventListener(over, ({ clientX }) => {
    if (!rect) return;
    if (over === "pointerup") to(clientX, false);
    else store.to(store.cursor);
    rect = null;
  });
  plot.addEventListener("wheel", (event) => {
    if (drawn.fixed) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / 600, PATIENCE);
    else zoom(FACTOR ** (event.deltaY / 300), seqAt(event.clientX), PATIENCE);
  }, { passive: false });

  function pan(share, wait = 0) {
    const [after, upto] = wide();
    const way = (upto - after) * share;
    if (span) show([after + way, upto + way], wait);
  }

  /** The window itself is dragged, below the picture. */
  const slide = ({ clientX }) => {
    const { left, width } = along.getBoundingClientRect();
    const [begins, head] = all();
    const size = span[1] - span[0];
    const middle = begins + ((clientX - left) / width) * (head - begins);
    show([middle - size / 2, middle + size / 2], PATIENCE);
  };
  along.addEventListener("pointerdown", (event) => { along.setPointerCapture(event.pointerId); slide(event); });
  along.addEventListener("pointermove", (event) => { if (event.buttons) slide(event); });

  plot.addEventListener("keydown", (event) => {
    const acts = { "+": () => zoom(1 / FACTOR), "=": () => zoom(1 / FACTOR), "-": () => zoom(FACTOR), 0: () => show(null), e: episode, PageUp: () => pan(-0.8), PageDown: () => pan(0.8) };
    if (!acts[event.key] || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    acts[event.key]();
  });
  let width = 0;
  const sized = new ResizeObserver(() => { if (plot.clientWidth !== width) { width = plot.clientWidth; redraw(); later(PATIENCE); } });
  sized.observe(plot);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", redraw);
  if (drawn.fixed) nearer.forEach((one) => { one.hidden = true; });
  const happened = () => {
    redraw();
    const [begins, head] = all();
    if (!span) later((head - drawn.upto()) / Math.max(1, head - begins) < SEEN ? RARELY : FRESH);
  };
  const close = () => { clearTimeout(timer); sized.disconnect(); dark.removeEventListener("change", redraw); };
  return { node, started: redraw, load, moved, happened, looked: load, coloured: load, known: moved, close };
}
