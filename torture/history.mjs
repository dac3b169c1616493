// Draws the operations and faults of a run from the seed, minute by minute.
import { GAME_FAULTS, NETWORK_MODES, losesCommits, weightsOf } from './fault-kinds.mjs';
import { FAULTS, seededRandom } from './support.mjs';

export const PLAYERS = 80;
export const SERVERS = 2;
export const ROLES = 8;

const OPERATIONS = {
  withdraw: 52,
  history: 5,
  roles: 4,
  enter: 5,
  login: 4,
  wrongLogin: 2,
  check: 6,
  servers: 2,
  config: 1,
  bind: 3,
  chat: 3,
  register: 3,
  reset: 2,
  guess: 1,
  password: 1.5,
  email: 1.5,
  tie: 1.5,
  unbind: 1,
  rush: 1.5,
  disable: 1,
  settle: 3,
  reopen: 1,
  session: 3,
  forum: 2.5,
  merge: 0.7,
};
/**
 * Runs that lose commits use only these operations, which are checked only against the game ledger or promise
 * nothing durable.
 */
const WITH_LOSSES = [
  'withdraw',
  'history',
  'roles',
  'login',
  'wrongLogin',
  'check',
  'servers',
  'config',
  'settle',
];
const SLOT = 100_000;
const RELEASE_EVERY_MS = 7000;

/** Returns the entries of one minute, sorted by time. The result depends only on the arguments. */
export function drawMinute(minute, options) {
  const operations = drawOperations(minute, options);
  return [...operations, ...drawFaults(minute, options)].toSorted((a, b) => a.at - b.at);
}

function drawOperations(minute, { seed, rate, faults, instances }) {
  const random = createRandom(seed * 7919 + minute * 2);
  const count = Math.round(rate * 60);
  const isLossy = faults.some(losesCommits);
  const operations = isLossy ? pick(OPERATIONS, WITH_LOSSES) : OPERATIONS;
  return Array.from({ length: count }, (_, index) => {
    const serial = minute * count + index;
    const entry = {
      n: minute * SLOT + index,
      at: minute * 60_000 + ((index + random.part()) * 60_000) / count,
      op: random.weighted(operations),
      player: random.below(PLAYERS),
      server: random.below(SERVERS),
      role: random.below(ROLES),
      // The index after the last instance means nginx.
      target: random.below(instances + 1),
      copies: random.pick([1, 1, 1, 2, 2, 3]),
    };
    const money = {
      // Amounts are unique per role for at least an hour, so that rows and responses can be matched.
      amount: random.chance(0.03) ? 2_900_000 + (serial % 90_000) : 100 + (serial % 90_000),
      keyed: random.chance(0.7),
      patience: random.pick([1, 1, 2, 4]),
      game: random.chance(0.45) ? 'none' : random.pick(FAULTS),
      by: random.pick(['command', 'sql', 'sql']),
    };
    // Keeps many orders in flight while the database loses their rows, and completes the orders after its restart.
    if (isLossy && random.chance(0.5)) money.game = 'hang_before';
    if (!faults.includes(GAME_FAULTS)) money.game = 'none';
    return { ...entry, ...money };
  });
}

function drawFaults(minute, { seed, faults, engine, instances }) {
  const random = createRandom(seed * 7919 + minute * 2 + 1);
  const weights = weightsOf(faults, engine);
  const entries = [];
  for (let at = random.part() * 2000; at < 60_000; at += 400 + random.part() * 2600) {
    if (Object.keys(weights).length === 0) break;
    const fault = random.weighted(weights);
    entries.push({
      n: minute * SLOT + SLOT / 2 + entries.length,
      at: minute * 60_000 + at,
      fault,
      instance: random.below(instances),
      server: random.below(SERVERS),
      // Most faults are short, so that many faults fit into a run. Some faults outlast every timeout of the
      // service.
      ms: Math.round(random.chance(0.2) ? 3000 + random.part() * 9000 : 100 + random.part() * 2000),
      mode: random.pick(NETWORK_MODES),
      delay: 50 + random.below(2000),
      edit: random.pick(['cap', 'deny', 'off', 'broken', 'patience']),
      hours: random.pick([-12, -1, -0.01, 0.01, 1, 12]),
    });
  }
  for (let at = RELEASE_EVERY_MS; at < 60_000; at += RELEASE_EVERY_MS)
    entries.push({
      n: minute * SLOT + SLOT * 0.9 + entries.length,
      at: minute * 60_000 + at,
      op: 'release',
    });
  return entries;
}

function pick(weights, names) {
  return Object.fromEntries(names.map((name) => [name, weights[name]]));
}

function createRandom(seed) {
  const part = seededRandom(seed);
  const below = (count) => Math.floor(part() * count);
  return {
    part,
    below,
    chance: (share) => part() < share,
    pick: (choices) => choices[below(choices.length)],
    weighted: (weights) => {
      const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      let left = part() * all;
      for (const [name, weight] of Object.entries(weights)) if ((left -= weight) < 0) return name;
      return Object.keys(weights)[0];
    },
  };
}
