// fill.mjs creates these players for the scenarios.
export const SERVERS = 100;

export const accountOf = (id) => `player${String(id).padStart(8, '0')}`;
export const passwordOf = (id) => `password ${id}`;

// The stride is coprime to round numbers, so that every player is used once before any player is
// used twice.
export const STRIDE = 7_919_777;

/** Returns ids that are spread over the whole table and are the same in each run. */
export function samplePlayers(players, limit = 10_000) {
  const count = Math.min(players, limit);
  return Array.from({ length: count }, (_, index) => ((index * STRIDE) % players) + 1);
}
