// Twice and five times the logins that the service can serve, through nginx and straight. The load and nginx have a core
// of their own, and service and database the others, so that it does not slow them down by being sent.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { openDatabase } from './databases.mjs';
import { processorMs } from './drive.mjs';
import { bar } from './figures.mjs';
import { fillPlayers, fillServers } from './fill.mjs';
import { playersAskedFor } from './population.mjs';
import { count, times } from './report.mjs';
import { writeRequests } from './rounds.mjs';
import { LOGIN } from './scenarios.mjs';
import * as stage from './stage.mjs';
import { inBench, ManagedProcess, startNginx } from './support.mjs';

const FACTORS = [2, 5];
const CALM_CONNECTIONS = 32;
const STORM_CONNECTIONS = 500;
const GOODPUT_BAR = 0.8;
const P99_BAR_MS = 1000;
const HEALTH_BAR_MS = 200;
const BACK_BAR_MS = 2000;
// After the overload, at half the sustained rate, an answer that took longer is not yet normal.
const NORMAL_MS = 250;
const CORES = availableParallelism();
const LAST_CORE = String(CORES - 1);
const [NGINX, STRAIGHT] = ['through nginx', 'straight'];

export async function measureOverload({ players, quick }) {
  const seconds = quick ? { calm: 4, storm: 6, after: 4 } : { calm: 8, storm: 15, after: 5 };
  // Everything that is started from here on inherits it.
  if (CORES > 1) pin(`0-${CORES - 2}`, process.pid);
  const [mariadb, game] = await Promise.all([stage.startMariaDb(), stage.startGame()]);
  const database = await openDatabase(mariadb);
  await fillServers(database, game);
  await fillPlayers(database, players);
  const service = await stage.startService(database, game);
  const file = writeRequests(playersAskedFor(players).map((id) => LOGIN.request(id)));
  const nginx = await startNginx({ upstreams: [new URL(service.url).host] });
  if (CORES > 1) pin(LAST_CORE, nginx.pid);
  const load = async ({ url, rate = 0, seconds: lasts }) => {
    const connections = rate > 0 ? STORM_CONNECTIONS : CALM_CONNECTIONS;
    const outcomeFile = `${file}-outcomes`;
    const before = processorMs(service.pid);
    const outcomes = await run({ url, file, rate, seconds: lasts, connections, outcomeFile });
    return { ...outcomes, seconds: lasts, busyMs: processorMs(service.pid) - before };
  };

  console.log('warming up …');
  await load({ url: service.url, seconds: seconds.calm });
  const storms = [];
  for (const [way, { url }] of Object.entries({ [NGINX]: nginx, [STRAIGHT]: service }))
    for (const factor of FACTORS) {
      console.log(`${factor} × the sustained rate, ${way} …`);
      const calm = await load({ url, seconds: seconds.calm });
      const sustained = goodput(calm);
      const storm = await load({ url, rate: factor * sustained, seconds: seconds.storm });
      const after = await load({ url, rate: sustained / 2, seconds: seconds.after });
      const figures = { ...summary(storm), calmMicroseconds: microsecondsEach(calm) };
      storms.push({ way, factor, sustained, ...figures, backMs: backAfter(after) });
    }
  const turnedAway = await counted(service.url);
  await nginx.stop();
  await Promise.all([service.stop(), database.close()]);
  await Promise.all([game.stop(), mariadb.stop()]);
  return {
    tables: [table(storms)],
    // Straight is for comparison: what is so far beyond, nginx is there to turn away.
    bars: storms.filter(({ way }) => way === NGINX).flatMap(barsOf),
    figures: { players, storms, turnedAway },
  };
}

function pin(cores, pid) {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
}

/** In a process group and on a core of its own. */
async function run(what) {
  const program = ['node', inBench('open-loop.mjs'), JSON.stringify(what)];
  const alone = CORES > 1 ? ['taskset', '-c', LAST_CORE, ...program] : program;
  const sender = new ManagedProcess('setsid', ['-w', ...alone]);
  if ((await sender.exit) !== 0) throw sender.failure('failed');
  return JSON.parse(readFileSync(what.outcomeFile, 'utf8'));
}

const served = ({ load }) => load.filter(([, status]) => status === 200);
const refused = ({ load }) => load.filter(([, status]) => status === 503);
const goodput = (outcomes) => served(outcomes).length / outcomes.seconds;
/** Of the service for each that was served, with what it spends on turning others away. */
const microsecondsEach = (outcomes) => (outcomes.busyMs * 1000) / served(outcomes).length;

function percentile(outcomes, share) {
  const sorted = outcomes.map(([, , ms]) => ms).toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function summary(outcomes) {
  const { load, health, seconds } = outcomes;
  const lost = load.length - served(outcomes).length - refused(outcomes).length;
  return {
    goodput: goodput(outcomes),
    microseconds: microsecondsEach(outcomes),
    p50Ms: percentile(served(outcomes), 0.5),
    p99Ms: percentile(served(outcomes), 0.99),
    refusedMs: percentile(refused(outcomes), 0.5),
    refused: refused(outcomes).length / seconds,
    lost,
    unhealthy: health.filter(([, status]) => status !== 200).length,
    healthMs: percentile(health, 0.99),
  };
}

/** When the last request was due that was turned away or slow. */
function backAfter({ load }) {
  const abnormal = load.filter(([, status, ms]) => status !== 200 || ms > NORMAL_MS);
  return abnormal.reduce((last, [at]) => Math.max(last, at), 0);
}

async function counted(url) {
  const text = await (await fetch(`${url}/api/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('gatehouse_turned_away_total'));
}

function barsOf({ factor, sustained, goodput: good, p99Ms, healthMs, unhealthy, lost, backMs }) {
  const why = CORES > 1 ? undefined : 'the load has no core of its own';
  const at = `at ${factor} ×:`;
  return [
    bar(`${at} goodput against the sustained rate`, good / sustained, '×', {
      least: GOODPUT_BAR,
      why,
    }),
    bar(`${at} p99 of what is served`, p99Ms, 'ms', { most: P99_BAR_MS, why }),
    bar(`${at} p99 of live and ready`, healthMs, 'ms', { most: HEALTH_BAR_MS, why }),
    bar(`${at} health that was not 200`, unhealthy, '', { most: 0, why }),
    bar(`${at} neither served nor turned away`, lost, '', { most: 0, why }),
    bar(`${at} back to normal after`, backMs, 'ms', { most: BACK_BAR_MS, why }),
  ];
}

function table(storms) {
  const heads = ['', 'load', 'sustained, a second', 'served, a second', 'goodput'];
  heads.push(
    'CPU each, µs: calm / overload',
    'p50 / p99, ms',
    'turned away, a second',
    'after, ms',
    'health p99, ms',
    'back after, ms',
  );
  const rows = storms.map((storm) => [
    storm.way,
    `${storm.factor} ×`,
    count(storm.sustained),
    count(storm.goodput),
    times(storm.goodput / storm.sustained),
    `${count(storm.calmMicroseconds)} / ${count(storm.microseconds)}`,
    `${count(storm.p50Ms)} / ${count(storm.p99Ms)}`,
    count(storm.refused),
    storm.refusedMs.toFixed(1),
    count(storm.healthMs),
    count(storm.backMs),
  ]);
  return { title: 'logins beyond what can be served', heads, rows };
}
