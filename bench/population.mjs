// The players that fill.mjs creates and the scenarios use.
export const SERVERS = 100;

export const accountOf = (id) => `player${String(id).padStart(8, '0')}`;
export const passwordOf = (id) => `password ${id}`;

// Coprime to round numbers, so that every player is used once before any is used twice.
export const STRIDE = 7_919_777;

/** Ids spread over the whole table, the same in each run. */
export function samplePlayers(players, limit = 10_000) {
  const count = Math.min(players, limit);
  return Array.from({ length: count }, (_, index) => ((index * STRIDE) % players) + 1);
}
