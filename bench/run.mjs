// `npm run bench`: the service against the floor, path by path, in alternating rounds. Ends with 1 where a bar is not held.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { fill } from './fill.mjs';
import { compare, machine, print, summarise } from './report.mjs';
import { playersAskedFor, SCENARIOS, toWire } from './scenarios.mjs';
import * as stage from './stage.mjs';

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    players: { type: 'string', default: '100000' },
    seconds: { type: 'string' },
    json: { type: 'string' },
  },
});
const players = Number(given.players);
const seconds = Number(given.seconds ?? (given.quick ? 1 : 5));
if (!(Number.isInteger(players) && players > 0 && Number.isInteger(seconds) && seconds > 0))
  throw new Error('--players and --seconds take whole numbers above 0');

const ROUNDS = 3;
const WARM_UP_SECONDS = given.quick ? 2 : 5;
const REST_MS = given.quick ? 2000 : 10_000;
const READY_BAR_MS = 3000;
const REST_BAR_MB = 130;

const folder = stage.temporaryFolder('bench-requests');
// As large as a server's, where the tests' own are small: pages that are written out again and again are no part of this.
const mariadb = await stage.startMariaDb({
  args: ['--innodb-buffer-pool-size=1G', '--innodb-log-file-size=256M'],
});
const database = await stage.createDatabase(mariadb.rootUrl);
await stage.migrate(database);
await fill(database, players);
const connection = await createConnection(database.url);
const sides = {
  floor: await stage.startFloor(database),
  service: await stage.startService(database),
};

const memoryNow = () => ({
  floor: stage.memoryMb(sides.floor.pid),
  service: stage.memoryMb(sides.service.pid),
});
await sleep(REST_MS);
const memory = { 'at rest': memoryNow() };

const asked = playersAskedFor(players);
const trials = [];
for (const scenario of SCENARIOS) {
  const load = scenario.chat ? chatLoad(scenario) : await replayLoad(scenario);
  trials.push({ scenario, load, rounds: { floor: [], service: [] } });
}
// Round 0 warms up: it takes some thousand requests until Node has compiled what it runs.
await driveAll(0, WARM_UP_SECONDS);
for (let round = 1; round <= ROUNDS; round++) await driveAll(round, seconds);
const scenarios = trials.map(({ scenario, rounds }) =>
  compare(scenario, summarise(rounds.floor.slice(1)), summarise(rounds.service.slice(1))),
);
memory['after the load'] = memoryNow();

const limits = [
  limit('start to ready', sides.service.readyMs, 'ms', READY_BAR_MS),
  limit('memory at rest', memory['at rest'].service, 'MB', REST_BAR_MB),
];
const result = { at: new Date(), machine: machine(), players, seconds, scenarios, limits, memory };
print(result);
if (given.json) writeFileSync(given.json, `${JSON.stringify(result, undefined, 2)}\n`);

await connection.end();
await Promise.all([sides.floor.stop(), sides.service.stop()]);
await mariadb.stop();
stage.removeFolder(folder);
process.exit([...scenarios, ...limits].every(({ passed }) => passed) ? 0 : 1);

/** Path after path in each round, not round after round of each path: what disturbs the machine for a while meets them all. */
async function driveAll(round, duration) {
  console.log(round === 0 ? 'warming up …' : `round ${round} of ${ROUNDS} …`);
  for (const { load, rounds } of trials)
    for (const side of ['floor', 'service'])
      rounds[side][round] = await drive(side, load, round, duration);
}

async function drive(side, { script, argsOf, recordsOf, stored }, round, duration) {
  const { url, pid } = sides[side];
  const storedBefore = await stored?.();
  const busyBefore = stage.processorMs(pid);
  const run = await stage.drive(url, duration, script, ...argsOf(side, round));
  const busyMs = stage.processorMs(pid) - busyBefore;
  const records = run.requests * recordsOf(side);
  if (stored && (await stored()) - storedBefore < records)
    throw new Error(`${side}: not all of ${records} chat records were stored`);
  return {
    rate: records / run.seconds,
    p50Ms: run.p50Ms,
    p99Ms: run.p99Ms,
    processorMicroseconds: (busyMs * 1000) / records,
  };
}

async function replayLoad({ name, request, isRight }) {
  const requests = asked.map((id) => request(id));
  for (const { url } of Object.values(sides)) {
    const { method, path, headers, body } = requests.at(-1);
    const response = await fetch(url + path, { method, headers, body });
    const answer = await response.json();
    if (response.status !== 200 || !isRight(answer.data, asked.at(-1)))
      throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
  }
  const file = join(folder, name.replaceAll(' ', '-'));
  writeFileSync(file, requests.map(toWire).join('\0'));
  return { script: 'replay.lua', argsOf: () => [file], recordsOf: () => 1 };
}

/** Its ids are made as it goes, since no record may be reported twice. A record that is turned away still answers 200. */
function chatLoad({ chat }) {
  return {
    script: 'chat.lua',
    argsOf: (side, round) => [String(chat[side]), `${chat.service}${side}${round}`],
    recordsOf: (side) => chat[side] || 1,
    stored: async () =>
      (await connection.query('SELECT COUNT(*) AS records FROM chat'))[0][0].records,
  };
}

function limit(name, measured, unit, bar) {
  return { name, measured, unit, bar, passed: measured < bar };
}
