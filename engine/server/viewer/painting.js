// The picture of a story, which the server draws, a window at a time: what is asked for, what is seen, and
// where in it the lines run.

import { about } from "./api.js";
import { begins } from "./bands.js";

const PHONE = 860; // a narrower screen has a low picture

export function painting(store, plot, image) {
  const fixed = Boolean(store.rights.bundle); // only some windows of it are there
  let seen = null; // the window that is seen, and the box of its lines
  let refused = false; // nobody is shown what they may not see: then bands are all there is
  plot.style.height = `${height()}px`;

  /** As high as its lines need, and as there is room for. */
  function height() {
    const wanted = 60 + 24 * store.facts.characters.length;
    return Math.round(innerWidth <= PHONE ? Math.max(92, Math.min(innerHeight * 0.17, wanted)) : Math.max(120, Math.min(innerHeight * 0.28, wanted)));
  }

  /** Have a window drawn, and show it; what came of it. */
  async function load(span) {
    const width = Math.floor(plot.clientWidth);
    if (refused || !width) return null;
    const found = await asked(span, width);
    if (!found.picture) return found;
    const next = new Image();
    next.src = `data:image/svg+xml,${encodeURIComponent(found.picture)}`;
    await next.decode().catch(() => null);
    show(found, next, width);
    return found;
  }

  function show({ story, box }, next, width) {
    const size = fixed ? width / next.naturalWidth : 1;
    const [left, right, top, bottom] = box.map((one) => one * size);
    seen = { after: story.after, upto: story.upto, begins: story.begins, left, right, top, bottom };
    image.src = next.src;
    image.hidden = false;
    image.style.width = `${next.naturalWidth * size}px`;
    plot.style.height = `${Math.min(next.naturalHeight * size, Math.max(height(), innerHeight * (innerWidth <= PHONE ? 0.24 : 0.44)))}px`;
  }

  async function asked(span, width) {
    const [after, upto] = span ?? [];
    const lens = store.lens && !store.facts.own ? { as: store.lens, seqs: true } : {};
    const ask = (of) => about(store.world, "story", { after, upto, about: of, ...lens, width: Math.min(6000, Math.max(200, width)), height: height(), columns: Math.max(20, Math.round(width / 9)) });
    try {
      return await ask(store.fact === null ? undefined : `#${store.fact}`);
    } catch (problem) {
      if (problem.status === 403) refused = true;
      if (problem.status !== 400 || store.fact === null) return { problem: refused ? null : problem.message };
      return { ...(await ask(undefined)), problem: problem.message };
    }
  }

  /** What is seen is stretched to a window, until that is drawn. */
  function place([after, upto]) {
    if (!seen) return;
    const share = (seq) => (seq - after) / Math.max(1, upto - after);
    const wide = seen.right - seen.left;
    const size = share(seen.upto) - share(seen.after);
    const same = Math.abs(size - 1) < 0.02 && Math.abs(share(seen.after)) < 0.02;
    image.style.clipPath = same ? "" : `inset(0 0 0 ${seen.left}px)`; // names stay unstretched, or unseen
    image.style.transform = same ? "" : `translate(${seen.left + share(seen.after) * wide - seen.left * size}px) scaleX(${size})`;
  }

  const box = () => seen ?? { left: 0, right: Math.max(1, plot.clientWidth), top: 14, bottom: plot.clientHeight - 6 };
  return { load, place, box, fixed, upto: () => seen?.upto ?? 0, begins: () => seen?.begins ?? begins(store.facts) };
}
