// `--faults` accepts these faults. Each number is a fault's weight in the random draw.
const FAULT_WEIGHTS = {
  kill: 6, // Kills an instance with SIGKILL and restarts it.
  terminate: 2, // Stops an instance with SIGTERM and restarts it.
  freeze: 10, // Freezes an instance with SIGSTOP, and resumes it with SIGCONT.
  'database-kill': 2,
  'database-freeze': 6,
  'database-full': 6, // Fills MariaDB's disk for a while, if a small disk can be mounted.
  'redis-kill': 3,
  'redis-freeze': 6,
  'game-database-freeze': 4,
  'database-network': 16, // Disturbs the network between one instance and the account database.
  'redis-network': 8,
  'game-database-network': 6,
  'game-network': 16, // Disturbs the network between all instances and one game server.
  'forum-network': 4, // Disturbs the network between all instances and the forum.
  'mail-network': 5, // Disturbs the network between one instance and the mail server.
  settings: 8, // Edits the settings file, sometimes with a syntax error.
  server: 5, // Puts a server into maintenance for a while.
  'game-move': 5, // Points a server's gm_port to another game server.
  clock: 6, // Steps the clock of one instance by hours.
};

// These faults are drawn only if `--faults` names them, because they invalidate many invariants.
const BY_NAME_WEIGHTS = {
  'database-loss': 14, // Kills MariaDB and loses the last second of commits.
};
export const BY_NAME = Object.keys(BY_NAME_WEIGHTS);

export function losesCommits(kind) {
  return kind === 'database-loss';
}

/** These faults do not affect logins and their counters. */
const WITHOUT_COUNTERS = new Set([
  'game-database-freeze',
  'game-database-network',
  'game-network',
  'forum-network',
  'mail-network',
  'settings',
  'server',
  'game-move',
]);

export function affectsCounters(kind) {
  return !WITHOUT_COUNTERS.has(kind);
}

// In a cluster, a fault hits one node while the remaining two nodes keep serving.
const CLUSTER_WEIGHTS = {
  'database-kill': 10,
  'node-replace': 5, // Kills a node and deletes its data, which another node then restores.
  'node-cut': 6, // Cuts a node off from the others, but not from its clients.
};

export function weightsOf(faults, engine) {
  const weights = {
    ...FAULT_WEIGHTS,
    ...BY_NAME_WEIGHTS,
    ...(engine === 'galera' && CLUSTER_WEIGHTS),
  };
  return Object.fromEntries(Object.entries(weights).filter(([kind]) => faults.includes(kind)));
}

/** Enables the fake game server's faults, which are drawn per withdrawal. */
export const GAME_FAULTS = 'game';

const ALL_ENGINES = [GAME_FAULTS, ...Object.keys(FAULT_WEIGHTS)];
export const CLUSTER_FAULTS = Object.keys(CLUSTER_WEIGHTS).filter(
  (kind) => !ALL_ENGINES.includes(kind),
);
export const ALL_FAULTS = [...ALL_ENGINES, ...CLUSTER_FAULTS, ...BY_NAME];

export const NETWORK_MODES = ['reset', 'stall', 'cut', 'delay'];
