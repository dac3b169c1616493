// Runs the load in rounds. A trial is one scenario on one stage. The sides of a stage (floor and
// service) take turns.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECTIONS, drive, cpuMs } from './drive.mjs';
import { toWire } from './scenarios.mjs';
import { temporaryFolder } from './support.mjs';

// V8 needs a few thousand requests to optimize the code, so slow paths get a longer warm-up.
const WARM_UP_REQUESTS = 3000;
const WARM_UP_ROUNDS = 10;

const folder = temporaryFolder('bench-requests');
let files = 0;

/**
 * Sends one request to each side and checks the response, because wrk only checks the status.
 * `stage` holds the sides by name, their database, the sampled player ids, and the numbers of
 * players and servers.
 */
export async function createTrial(scenario, stage) {
  const { request, script = 'replay.lua', args, records = () => 1 } = scenario;
  const trial = { scenario, stage, script, args, records, sent: 0, rounds: {} };
  for (const side of Object.keys(stage.sides)) {
    trial.rounds[side] = [];
    if (request) await checkResponse(scenario, stage, side);
  }
  if (script === 'replay.lua') {
    const file = writeRequests(stage.playerIds.map((id) => request(id)));
    trial.args = ({ sent }) => [file, sent];
  }
  return trial;
}

/** Writes a file for replay.lua. The file is removed when the benchmark exits. */
export function writeRequests(requests) {
  const file = join(folder, `requests-${++files}`);
  writeFileSync(file, requests.map(toWire).join('\0'));
  return file;
}

/**
 * Each round runs every trial, so that noise affects all trials alike. Every other round runs in
 * reverse order.
 */
export async function runRounds(trials, { rounds, seconds, quick }) {
  const turns = trials.flatMap((trial) =>
    Object.keys(trial.stage.sides).map((side) => ({ trial, side })),
  );
  console.log('warming up …');
  for (const { trial, side } of turns) await warmUp(trial, side, { seconds, quick });
  for (let round = 1; round <= rounds; round++) {
    console.log(`round ${round} of ${rounds} …`);
    for (const { trial, side } of round % 2 === 0 ? turns : turns.toReversed())
      trial.rounds[side].push(await measure(trial, side, seconds));
  }
}

async function warmUp(trial, side, { seconds, quick }) {
  const enough = trial.sent + (quick ? 0 : WARM_UP_REQUESTS);
  let rounds = 0;
  do await measure(trial, side, quick ? seconds : Math.max(seconds, 3));
  while (trial.sent < enough && ++rounds < WARM_UP_ROUNDS);
}

async function measure(trial, side, duration) {
  const { scenario, stage, script, args, records } = trial;
  const { url, pid } = stage.sides[side];
  const { players } = stage;
  const lastId = await maxId(scenario, stage);
  const cpuBefore = cpuMs(pid);
  const run = `${Date.now().toString(36)}-${process.pid}`;
  const { requests, seconds, p50Ms, p99Ms } = await drive(url, duration, {
    script,
    args: args({ sent: trial.sent, run, side, players }),
  });
  const usedCpuMs = cpuMs(pid) - cpuBefore;
  // wrk does not count the requests that are in flight at the end.
  trial.sent += requests + CONNECTIONS;
  const done = requests * records(side);
  if (scenario.inserts && (await rowsSince(scenario, stage, lastId)) < done)
    throw new Error(`${scenario.name}, ${side}: the table lacks some of ${done} records`);
  return { rate: done / seconds, p50Ms, p99Ms, processorMicroseconds: (usedCpuMs * 1000) / done };
}

async function checkResponse({ name, request, isCorrect, status = 200 }, stage, side) {
  const id = stage.playerIds.at(-1);
  const { method, path, headers, body } = request(id);
  const response = await fetch(stage.sides[side].url + path, { method, headers, body });
  const answer = await response.json();
  if (response.status !== status || !isCorrect(answer, id, stage))
    throw new Error(`${name}, ${side}: ${response.status} ${JSON.stringify(answer)}`);
}

/** Counts the inserted rows, because a response with status 200 may still reject records. */
async function rowsSince({ inserts }, { database }, lastId) {
  const [table, condition = '1 = 1'] = inserts.split(' WHERE ');
  const sql = `SELECT COUNT(*) AS added FROM ${table} WHERE id > ? AND ${condition}`;
  return Number((await database.query(sql, [lastId]))[0].added);
}

async function maxId({ inserts }, { database }) {
  if (!inserts) return 0;
  const [row] = await database.query(`SELECT MAX(id) AS last FROM ${inserts.split(' WHERE ')[0]}`);
  return row.last ?? 0;
}
