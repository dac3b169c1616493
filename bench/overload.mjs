// Overloads the service with 2 and 5 times the sustained login rate, through nginx and directly.
// The load generator and nginx run on their own core, so that they do not slow down the service and
// the database.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { openDatabase } from './databases.mjs';
import { cpuMs } from './drive.mjs';
import { bar } from './figures.mjs';
import { fillPlayers, fillServers } from './fill.mjs';
import { samplePlayers } from './population.mjs';
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
// The service has recovered when all responses at half the sustained rate are faster than this.
const NORMAL_MS = 250;
const CORES = availableParallelism();
const LAST_CORE = String(CORES - 1);
const [NGINX, DIRECT] = ['through nginx', 'direct'];

export async function measureOverload({ players, quick }) {
  const seconds = quick ? { calm: 4, storm: 6, after: 4 } : { calm: 8, storm: 15, after: 5 };
  // Processes that start after this call inherit its core affinity.
  if (CORES > 1) pin(`0-${CORES - 2}`, process.pid);
  const [mariadb, game] = await Promise.all([stage.startMariaDb(), stage.startGame()]);
  const database = await openDatabase(mariadb);
  await fillServers(database, game);
  await fillPlayers(database, players);
  const service = await stage.startService(database, game);
  const file = writeRequests(samplePlayers(players).map((id) => LOGIN.request(id)));
  const nginx = await startNginx({ upstreams: [new URL(service.url).host] });
  if (CORES > 1) pin(LAST_CORE, nginx.pid);
  const load = async ({ url, rate = 0, seconds: duration }) => {
    const connections = rate > 0 ? STORM_CONNECTIONS : CALM_CONNECTIONS;
    const outcomeFile = `${file}-outcomes`;
    const before = cpuMs(service.pid);
    const outcomes = await run({ url, file, rate, seconds: duration, connections, outcomeFile });
    return { ...outcomes, seconds: duration, usedCpuMs: cpuMs(service.pid) - before };
  };

  console.log('warming up …');
  await load({ url: service.url, seconds: seconds.calm });
  const storms = [];
  for (const [way, { url }] of Object.entries({ [NGINX]: nginx, [DIRECT]: service }))
    for (const factor of FACTORS) {
      console.log(`${factor} × the sustained rate, ${way} …`);
      const calm = await load({ url, seconds: seconds.calm });
      const sustained = goodput(calm);
      const storm = await load({ url, rate: factor * sustained, seconds: seconds.storm });
      const after = await load({ url, rate: sustained / 2, seconds: seconds.after });
      const figures = { ...summary(storm), calmMicroseconds: microsecondsEach(calm) };
      storms.push({ way, factor, sustained, ...figures, backMs: recoveryMs(after) });
    }
  const turnedAway = await turnedAwayMetrics(service.url);
  await nginx.stop();
  await Promise.all([service.stop(), database.close()]);
  await Promise.all([game.stop(), mariadb.stop()]);
  return {
    tables: [table(storms)],
    // Only the load through nginx has limits, because nginx rejects such an excess in production. The
    // direct load serves as a comparison.
    bars: storms.filter(({ way }) => way === NGINX).flatMap(barsOf),
    figures: { players, storms, turnedAway },
  };
}

function pin(cores, pid) {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
}

/** Runs the load generator in its own process group, on its own core. */
async function run(options) {
  const program = ['node', inBench('open-loop.mjs'), JSON.stringify(options)];
  const pinned = CORES > 1 ? ['taskset', '-c', LAST_CORE, ...program] : program;
  const generator = new ManagedProcess('setsid', ['-w', ...pinned]);
  if ((await generator.exit) !== 0) throw generator.failure('failed');
  return JSON.parse(readFileSync(options.outcomeFile, 'utf8'));
}

const served = ({ load }) => load.filter(([, status]) => status === 200);
const refused = ({ load }) => load.filter(([, status]) => status === 503);
const goodput = (outcomes) => served(outcomes).length / outcomes.seconds;
/** Returns the CPU time per served login, including the cost of rejecting other logins. */
const microsecondsEach = (outcomes) => (outcomes.usedCpuMs * 1000) / served(outcomes).length;

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

function recoveryMs({ load }) {
  const abnormal = load.filter(([, status, ms]) => status !== 200 || ms > NORMAL_MS);
  return abnormal.reduce((last, [at]) => Math.max(last, at), 0);
}

async function turnedAwayMetrics(url) {
  const text = await (await fetch(`${url}/api/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('gatehouse_turned_away_total'));
}

function barsOf({ factor, sustained, goodput: good, p99Ms, healthMs, unhealthy, lost, backMs }) {
  const why = CORES > 1 ? undefined : 'the load generator needs a core of its own';
  const at = `at ${factor} ×:`;
  return [
    bar(`${at} goodput vs sustained rate`, good / sustained, '×', {
      least: GOODPUT_BAR,
      why,
    }),
    bar(`${at} p99 of served logins`, p99Ms, 'ms', { most: P99_BAR_MS, why }),
    bar(`${at} p99 of live and ready`, healthMs, 'ms', { most: HEALTH_BAR_MS, why }),
    bar(`${at} failed health checks`, unhealthy, '', { most: 0, why }),
    bar(`${at} neither served nor rejected`, lost, '', { most: 0, why }),
    bar(`${at} back to normal`, backMs, 'ms', { most: BACK_BAR_MS, why }),
  ];
}

function table(storms) {
  const heads = ['', 'load', 'sustained, per second', 'served, per second', 'goodput'];
  heads.push(
    'CPU per login, µs: calm / overload',
    'p50 / p99, ms',
    'rejected, per second',
    'rejected p50, ms',
    'health p99, ms',
    'back to normal, ms',
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
  return { title: 'logins above the sustained rate', heads, rows };
}
