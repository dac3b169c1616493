// The history of a run, drawn from the seed alone: what is done and what goes wrong, minute by minute.
import { GAME_FAULTS, NETWORK_MODES, takesBack, weightsOf } from './fault-kinds.mjs';
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
/** Where the database loses commits: what is judged by the game's ledger alone, or promises nothing for later. */
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

/** The entries of one minute, by time. Equal for equal arguments, whatever happened before. */
export function drawMinute(minute, options) {
  const operations = drawOperations(minute, options);
  return [...operations, ...drawFaults(minute, options)].toSorted((a, b) => a.at - b.at);
}

function drawOperations(minute, { seed, rate, faults, instances }) {
  const random = dice(seed * 7919 + minute * 2);
  const count = Math.round(rate * 60);
  const isLossy = faults.some(takesBack);
  const operations = isLossy ? picked(OPERATIONS, WITH_LOSSES) : OPERATIONS;
  return Array.from({ length: count }, (_, index) => {
    const serial = minute * count + index;
    const entry = {
      n: minute * SLOT + index,
      at: minute * 60_000 + ((index + random.part()) * 60_000) / count,
      op: random.weighed(operations),
      player: random.below(PLAYERS),
      server: random.below(SERVERS),
      role: random.below(ROLES),
      // One above the instances is nginx.
      target: random.below(instances + 1),
      copies: random.pick([1, 1, 1, 2, 2, 3]),
    };
    const money = {
      // No two withdrawals of a role ask for the same, so that rows and answers are told apart: for an hour at the least.
      amount: random.chance(0.03) ? 2_900_000 + (serial % 90_000) : 100 + (serial % 90_000),
      keyed: random.chance(0.7),
      patience: random.pick([1, 1, 2, 4]),
      game: random.chance(0.45) ? 'none' : random.pick(FAULTS),
      by: random.pick(['command', 'sql', 'sql']),
    };
    // Many are out when the database loses their rows, and are answered when it is back.
    if (isLossy && random.chance(0.5)) money.game = 'hang_before';
    if (!faults.includes(GAME_FAULTS)) money.game = 'none';
    return { ...entry, ...money };
  });
}

function drawFaults(minute, { seed, faults, engine, instances }) {
  const random = dice(seed * 7919 + minute * 2 + 1);
  const weights = weightsOf(faults, engine);
  const entries = [];
  for (let at = random.part() * 2000; at < 60_000; at += 400 + random.part() * 2600) {
    if (Object.keys(weights).length === 0) break;
    const fault = random.weighed(weights);
    entries.push({
      n: minute * SLOT + SLOT / 2 + entries.length,
      at: minute * 60_000 + at,
      fault,
      instance: random.below(instances),
      server: random.below(SERVERS),
      // Mostly short, so that many fit in; some outlast every time limit of the service.
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

function picked(weights, names) {
  return Object.fromEntries(names.map((name) => [name, weights[name]]));
}

function dice(seed) {
  const part = seededRandom(seed);
  const below = (count) => Math.floor(part() * count);
  return {
    part,
    below,
    chance: (share) => part() < share,
    pick: (choices) => choices[below(choices.length)],
    weighed: (weights) => {
      const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      let left = part() * all;
      for (const [name, weight] of Object.entries(weights)) if ((left -= weight) < 0) return name;
      return Object.keys(weights)[0];
    },
  };
}
