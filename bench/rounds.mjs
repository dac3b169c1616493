// Paths under load, in rounds. A trial is one path on one stage; its sides take turns.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECTIONS, drive, processorMs } from './drive.mjs';
import { toWire } from './scenarios.mjs';
import { temporaryFolder } from './support.mjs';

// It takes some thousand requests until Node has compiled what it runs: a slow path is warmed up for longer.
const WARMING_REQUESTS = 3000;
const WARMING_ROUNDS = 10;

const folder = temporaryFolder('bench-requests');
let files = 0;

/**
 * `stage` has the sides by name, their database, the players who are asked for, and how many players and servers there
 * are. Before anything is measured each side is asked once, and the answer is looked at.
 */
export async function createTrial(scenario, stage) {
  const { request, script = 'replay.lua', args, records = () => 1 } = scenario;
  const trial = { scenario, stage, script, args, records, sent: 0, rounds: {} };
  for (const side of Object.keys(stage.sides)) {
    trial.rounds[side] = [];
    if (request) await lookAtAnswer(scenario, stage, side);
  }
  if (script === 'replay.lua') {
    const file = writeRequests(stage.asked.map((id) => request(id)));
    trial.args = ({ sent }) => [file, sent];
  }
  return trial;
}

/** For replay.lua. The file is removed when the bench ends. */
export function writeRequests(requests) {
  const file = join(folder, `requests-${++files}`);
  writeFileSync(file, requests.map(toWire).join('\0'));
  return file;
}

/**
 * Path after path in each round, not round after round of each path: what disturbs the machine for a while meets them
 * all. Every other round goes backwards, so that nobody is always the first.
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
  const enough = trial.sent + (quick ? 0 : WARMING_REQUESTS);
  let rounds = 0;
  do await measure(trial, side, quick ? seconds : Math.max(seconds, 3));
  while (trial.sent < enough && ++rounds < WARMING_ROUNDS);
}

async function measure(trial, side, duration) {
  const { scenario, stage, script, args, records } = trial;
  const { url, pid } = stage.sides[side];
  const { players } = stage;
  const last = await lastRow(scenario, stage);
  const busyBefore = processorMs(pid);
  const run = `${Date.now().toString(36)}-${process.pid}`;
  const told = args({ sent: trial.sent, run, side, players });
  const { requests, seconds, p50Ms, p99Ms } = await drive(url, duration, { script, args: told });
  const busyMs = processorMs(pid) - busyBefore;
  // Those on the way when the time was up are not counted, but were sent.
  trial.sent += requests + CONNECTIONS;
  const done = requests * records(side);
  if (scenario.adds && (await rowsSince(scenario, stage, last)) < done)
    throw new Error(`${scenario.name}, ${side}: not all of ${done} records are in the table`);
  return { rate: done / seconds, p50Ms, p99Ms, processorMicroseconds: (busyMs * 1000) / done };
}

async function lookAtAnswer({ name, request, isRight, status = 200 }, stage, side) {
  const id = stage.asked.at(-1);
  const { method, path, headers, body } = request(id);
  const response = await fetch(stage.sides[side].url + path, { method, headers, body });
  const answer = await response.json();
  if (response.status !== status || !isRight(answer, id, stage))
    throw new Error(`${name}, ${side}: ${response.status} ${JSON.stringify(answer)}`);
}

/** A record that is turned away may still be answered with 200, so what is in the table is what counts. */
async function rowsSince({ adds }, { database }, last) {
  const [table, condition = '1 = 1'] = adds.split(' WHERE ');
  const counted = `SELECT COUNT(*) AS added FROM ${table} WHERE id > ? AND ${condition}`;
  return Number((await database.query(counted, [last]))[0].added);
}

async function lastRow({ adds }, { database }) {
  if (!adds) return 0;
  const [row] = await database.query(`SELECT MAX(id) AS last FROM ${adds.split(' WHERE ')[0]}`);
  return row.last ?? 0;
}
