// The files of a bundle, beside the page. They are scripts, and not fetched: so a bundle opens from a disk, too.

export const held = globalThis.whoknewBundle;
export const isBundle = held !== undefined;

const asked = new Map();

/** A file of the bundle, loaded when it is first asked for. */
export function part(name) {
  if (!asked.has(name)) asked.set(name, loaded(name));
  return asked.get(name);
}

function loaded(name) {
  if (held[name]) return Promise.resolve(held[name]);
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = `data/${name}.js`;
    script.onload = () => done(held[name]);
    script.onerror = () => failed(new Error(`data/${name}.js is missing from this bundle`));
    document.head.append(script);
  });
}

/** How many of some seqs in order are no later than one. */
export function count(seqs, upto) {
  let [low, high] = [0, seqs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (seqs[middle] <= upto) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const every = (facts, cursor) => Array.from({ length: cursor }, (_, at) => at + 1);

/** The events at these seqs. */
export async function picked(facts, seqs) {
  const parts = new Map();
  for (const seq of seqs) {
    const name = `events-${Math.floor((seq - 1) / facts.page)}`;
    if (!parts.has(name)) parts.set(name, await part(name));
  }
  return seqs.map((seq) => parts.get(`events-${Math.floor((seq - 1) / facts.page)}`)[(seq - 1) % facts.page]);
}
