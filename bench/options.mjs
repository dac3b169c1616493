// Parses the options of `npm run bench --`, which docs/performance.md explains.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    overload: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'mariadb' },
    only: { type: 'string' },
    players: { type: 'string', default: '100000' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    sizes: { type: 'string', default: '10000,1000000,10000000' },
    json: { type: 'string' },
    markdown: { type: 'string' },
    svg: { type: 'string', default: fileURLToPath(new URL('../docs/growth.svg', import.meta.url)) },
  },
});

// The growth benchmark compares table sizes in many short rounds, so that both sides of a ratio run
// under the same conditions.
const ROUNDS = given.quick
  ? { rounds: 3, seconds: 1 }
  : given.growth
    ? { rounds: 15, seconds: 1 }
    : { rounds: 5, seconds: 3 };

export const options = {
  ...given,
  players: wholeNumber('players', given.players),
  ...ROUNDS,
  ...(given.seconds && { seconds: wholeNumber('seconds', given.seconds) }),
  ...(given.rounds && { rounds: wholeNumber('rounds', given.rounds) }),
  minutes: Number(given.minutes),
  sizes: given.sizes.split(',').map((size) => wholeNumber('sizes', size)),
  only: given.only?.split(',').map((name) => name.trim()),
};
if (!['mariadb', 'mysql'].includes(options.engine)) fail('--engine must be mariadb or mysql');
if (!(options.minutes > 0)) fail('--minutes must be a number above 0');

function wholeNumber(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  return fail(`--${name} takes whole numbers above 0`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
