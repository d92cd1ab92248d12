// What stands beside the story: who knows what, prompts, questions, what-ifs, comparisons, a seat. Each is
// loaded when it is first opened: the story is there before.

const full = (store) => !store.facts.own;

export const PANELS = {
  cell: { title: "Cell", load: async () => (await import("./cell.js")).cell, for: (store) => full(store) && store.exam && store.cell },
  knows: { title: "Who knows", load: async () => (await import("./knowledge.js")).knows, for: full, bundled: true },
  prompt: { title: "Why", load: async () => (await import("./why.js")).why, for: (store) => full(store) && store.rights.prompts !== false, bundled: true },
  ask: { title: "Ask", load: async () => (await import("./ask.js")).ask, for: full },
  fork: { title: "Fork", load: async () => (await import("./fork.js")).fork, for: (store) => full(store) && store.controls && store.rights.writable },
  compare: { title: "Compare", load: async () => (await import("./compare.js")).compare, for: full, bundled: true },
  calls: { title: "Calls", load: async () => (await import("./spending.js")).spending, for: full, bundled: true },
  scores: { title: "Scores", load: async () => (await import("./scores.js")).scores, for: full, bundled: true },
  seat: { title: "Seat", load: async () => (await import("./seat.js")).seat, for: (store) => store.only || store.controls },
};
