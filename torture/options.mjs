// Parses the options of `npm run torture --`, which run.mjs explains.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ALL_FAULTS, BY_NAME, CLUSTER_FAULTS } from './fault-kinds.mjs';
import { canMount } from './small-disk.mjs';

const DISK = 'database-full';
const LOSS = 'database-loss';
const ENGINES = ['mariadb', 'mysql', 'galera'];

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    faults: { type: 'string' },
    instances: { type: 'string', default: '2' },
    engine: { type: 'string', default: 'mariadb' },
    withdrawals: { type: 'string' },
    rate: { type: 'string', default: '12' },
    'shrink-minutes': { type: 'string', default: '10' },
    history: { type: 'string' },
  },
});

const hasSmallDisk = canMount() && given.engine === 'mariadb';
const hasNodes = given.engine === 'galera';

export const options = {
  seed: given.seed === undefined ? randomInt(1_000_000) : number('seed', given.seed, 0),
  // With only `--withdrawals`, the number of withdrawals ends the run.
  minutes: number('minutes', given.minutes ?? (given.withdrawals ? '1440' : '2')),
  faults: faults(given.faults),
  engine: engine(given.engine),
  instances: number('instances', given.instances, 1),
  withdrawals: given.withdrawals ? number('withdrawals', given.withdrawals, 1) : Infinity,
  rate: number('rate', given.rate),
  shrinkMinutes: number('shrink-minutes', given['shrink-minutes'], 0),
  history: given.history,
};

function number(name, text, least = 0.01) {
  const value = Number(text);
  if (value >= least) return value;
  return fail(`--${name} must be a number of at least ${least}`);
}

/** The default is every fault that is possible on this machine. */
function faults(text) {
  const isPossible = (kind) =>
    (kind !== DISK || hasSmallDisk) && (hasNodes || !CLUSTER_FAULTS.includes(kind));
  if (text === undefined)
    return ALL_FAULTS.filter((kind) => isPossible(kind) && !BY_NAME.includes(kind));
  if (text === 'none') return [];
  const kinds = text.split(',');
  const unknown = kinds.find((kind) => !ALL_FAULTS.includes(kind));
  if (unknown) fail(`--faults takes ${ALL_FAULTS.join(', ')} or none, not ${unknown}`);
  if (kinds.includes(DISK) && !hasSmallDisk)
    fail(`--faults ${DISK} mounts a disk: it needs root and MariaDB`);
  if (kinds.includes(LOSS) && (given.engine !== 'mariadb' || kinds.includes(DISK)))
    fail(`--faults ${LOSS} needs MariaDB and cannot be combined with ${DISK}`);
  if (kinds.includes(LOSS) && kinds.includes('database-kill'))
    fail(`--faults ${LOSS} cannot be combined with database-kill`);
  const clusterOnly = kinds.find((kind) => !isPossible(kind));
  if (clusterOnly) fail(`--faults ${clusterOnly} needs --engine galera`);
  return kinds;
}

function engine(name) {
  if (ENGINES.includes(name)) return name;
  return fail(`--engine must be one of ${ENGINES.join(', ')}`);
}

function fail(message) {
  console.error(message);
  return process.exit(2);
}
