// What a world is shown by first, asked for while the modules that show it are still on their way.

import { about } from "./api.js";

export const WINDOW = 120; // lines of a story that are asked for at once

/** The world; and its newest lines, where these are what is looked at. */
export function early({ world, at, hide }) {
  const asked = { facts: about(world), lines: at || hide ? null : about(world, "events", { limit: WINDOW }) };
  for (const one of Object.values(asked)) one?.catch(() => {}); // told by whoever waits for it
  return asked;
}
