// The faults that `--faults` may name, with how often each is drawn.
const FAULT_WEIGHTS = {
  kill: 6, // kill -9 of an instance, and a restart
  terminate: 2, // SIGTERM of an instance, and a restart
  freeze: 10, // SIGSTOP of an instance, then SIGCONT
  'database-kill': 2,
  'database-freeze': 6,
  'database-full': 6, // its disk is full for a while; MariaDB, where a small disk can be mounted
  'redis-kill': 3,
  'redis-freeze': 6,
  'game-database-freeze': 4,
  'database-network': 16, // between one instance and the account database
  'redis-network': 8,
  'game-database-network': 6,
  'game-network': 16, // between all instances and one game server
  'forum-network': 4, // between all instances and the forum
  'mail-network': 5, // between one instance and the mail server
  settings: 8, // an edit of the settings file, sometimes a broken one
  server: 5, // a server under maintenance for a while
  'game-move': 5, // a server's gm_port names another game server
  clock: 6, // the clock of one instance, hours off
};

// Named by `--faults` alone: much of what is judged elsewhere cannot hold then.
const BY_NAME_WEIGHTS = {
  'database-loss': 14, // MariaDB is killed, and has lost the last second of commits
};
export const BY_NAME = Object.keys(BY_NAME_WEIGHTS);

/** Faults after which the account database may not know what it has committed. */
export function takesBack(kind) {
  return kind === 'database-loss';
}

/** Faults that no sign-in and no counter meets. */
const ASIDE = new Set([
  'game-database-freeze',
  'game-database-network',
  'game-network',
  'forum-network',
  'mail-network',
  'settings',
  'server',
  'game-move',
]);

export function reachesCounters(kind) {
  return !ASIDE.has(kind);
}

// Of a cluster a fault hits one node, and two go on.
const OF_A_CLUSTER = {
  'database-kill': 10,
  'node-replace': 5, // kill -9, and its data is gone: another node sends all of it
  'node-cut': 6, // from the other nodes, while its clients still reach it
};

/** How often each of these is drawn, with this engine. */
export function weightsOf(faults, engine) {
  const weights = {
    ...FAULT_WEIGHTS,
    ...BY_NAME_WEIGHTS,
    ...(engine === 'galera' && OF_A_CLUSTER),
  };
  return Object.fromEntries(Object.entries(weights).filter(([kind]) => faults.includes(kind)));
}

/** The faults of the game server double, drawn for each withdrawal, are switched by this name. */
export const GAME_FAULTS = 'game';

const EVERYWHERE = [GAME_FAULTS, ...Object.keys(FAULT_WEIGHTS)];
export const CLUSTER_FAULTS = Object.keys(OF_A_CLUSTER).filter(
  (kind) => !EVERYWHERE.includes(kind),
);
export const ALL_FAULTS = [...EVERYWHERE, ...CLUSTER_FAULTS, ...BY_NAME];

export const NETWORK_MODES = ['reset', 'stall', 'cut', 'delay'];
