// What `npm run torture --` takes; run.mjs says what for.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ALL_FAULTS, BY_NAME, CLUSTER_FAULTS } from './fault-kinds.mjs';
import { mayMount } from './small-disk.mjs';

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

const hasSmallDisk = mayMount() && given.engine === 'mariadb';
const hasNodes = given.engine === 'galera';

export const options = {
  seed: given.seed === undefined ? randomInt(1_000_000) : number('seed', given.seed, 0),
  // With `--withdrawals` alone, the number ends the run.
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
  return refuse(`--${name} takes a number, at least ${least}`);
}

/** By default every kind that is possible here; `none` is none. */
function faults(text) {
  const isPossible = (kind) =>
    (kind !== DISK || hasSmallDisk) && (hasNodes || !CLUSTER_FAULTS.includes(kind));
  if (text === undefined)
    return ALL_FAULTS.filter((kind) => isPossible(kind) && !BY_NAME.includes(kind));
  if (text === 'none') return [];
  const kinds = text.split(',');
  const unknown = kinds.find((kind) => !ALL_FAULTS.includes(kind));
  if (unknown) refuse(`--faults takes ${ALL_FAULTS.join(', ')} or none, not ${unknown}`);
  if (kinds.includes(DISK) && !hasSmallDisk)
    refuse(`--faults ${DISK} mounts a disk, which takes root, for MariaDB`);
  if (kinds.includes(LOSS) && (given.engine !== 'mariadb' || kinds.includes(DISK)))
    refuse(`--faults ${LOSS} needs MariaDB, and goes without ${DISK}`);
  if (kinds.includes(LOSS) && kinds.includes('database-kill'))
    refuse(`--faults ${LOSS} is a database-kill that loses commits: name one of the two`);
  const ofCluster = kinds.find((kind) => !isPossible(kind));
  if (ofCluster) refuse(`--faults ${ofCluster} needs --engine galera`);
  return kinds;
}

function engine(name) {
  if (ENGINES.includes(name)) return name;
  return refuse(`--engine takes ${ENGINES.join(', ')}`);
}

function refuse(message) {
  console.error(message);
  return process.exit(2);
}
