// Who the players are: known here, made by fill.mjs, and asked for by the scenarios.
export const SERVERS = 100;

export const accountOf = (id) => `player${String(id).padStart(8, '0')}`;
export const passwordOf = (id) => `password ${id}`;

// Shares no factor with a round number, so that every player has a turn before one has a second.
export const STRIDE = 7_919_777;

/** Players from all over the table, the same in each run. */
export function playersAskedFor(players, most = 10_000) {
  const count = Math.min(players, most);
  return Array.from({ length: count }, (_, place) => ((place * STRIDE) % players) + 1);
}
