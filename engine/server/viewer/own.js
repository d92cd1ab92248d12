// What one is sent who does not see all: numbered as it was perceived. The page calls such a number a
// seq, as it does the director's: both are places in what one is shown.

/** The world as far as one perceived it, in the form that the page knows. */
export function world(facts) {
  if (facts.character === undefined) return { ...facts, own: false };
  return { own: true, name: facts.name, title: facts.name, head: facts.events, parent: null, character: facts.character, characters: facts.character ? [facts.character] : [], episodes: facts.episodes, total: facts.total, marks: [] };
}

/** How far a page of events goes. */
export const upto = (page) => page.head ?? page.events.at(-1)?.number ?? 0;

/** An event in that form. Those who witnessed it are those whom one saw there, and oneself. */
export function event(found, who) {
  if (found.number === undefined) return found;
  return { ...found, seq: found.number, witnesses: [who, ...(found.present ?? [])].filter(Boolean) };
}
