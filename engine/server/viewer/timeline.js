// Episodes as bands, on a canvas, so that thousands of them cost no more than ten; and a cursor.

import { el } from "./dom.js";

export function timeline(store) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const node = el("div", { class: "timeline", role: "slider", tabindex: "0", "aria-label": "Cursor in the world's log", "aria-valuemin": "1" }, canvas);
  const style = (name) => getComputedStyle(node).getPropertyValue(name).trim();
  let asked = false;

  function draw() {
    asked = false;
    const { width, height } = node.getBoundingClientRect();
    if (!width) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const x = (seq) => (width * seq) / Math.max(1, store.head);
    pen.fillStyle = style("--wash");
    pen.fillRect(0, 0, width, height);
    const [band, other, soft] = [style("--band"), style("--band-alt"), style("--soft")];
    pen.font = "11px system-ui, sans-serif";
    for (const one of store.facts.episodes) {
      const [from, to] = [x(one.first - 1), x(one.last ?? store.head)];
      pen.fillStyle = one.number % 2 ? band : other;
      pen.fillRect(from, 8, Math.max(1, to - from), height - 16);
      if (to - from > 26) {
        pen.fillStyle = soft;
        pen.fillText(`E${one.number}`, from + 4, height / 2 + 4);
      }
    }
    pen.fillStyle = style("--told");
    for (const mark of store.facts.marks) pen.fillRect(x(mark.cursor) - 1, 0, 2, 8);
    pen.fillStyle = style("--cursor");
    pen.fillRect(Math.min(width - 2, Math.max(0, x(store.cursor) - 1)), 0, 2.5, height);
  }
  const redraw = () => { if (!asked) { asked = true; requestAnimationFrame(draw); } };
  /** What is read aloud moves at once; what is drawn, with the next frame. */
  function moved() {
    node.setAttribute("aria-valuenow", String(store.cursor));
    node.setAttribute("aria-valuemax", String(store.head));
    node.setAttribute("aria-valuetext", `event ${store.cursor} of ${store.head}`);
    redraw();
  }

  const scrub = (event) => {
    const { left, width } = node.getBoundingClientRect();
    store.to(((event.clientX - left) / width) * store.head);
  };
  node.addEventListener("pointerdown", (event) => { node.setPointerCapture(event.pointerId); scrub(event); });
  node.addEventListener("pointermove", (event) => { if (event.buttons) scrub(event); });
  new ResizeObserver(redraw).observe(node);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  return { node, started: moved, moved, happened: moved };
}
