// Compares the paths of the service with the paths of the floor.
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from './databases.mjs';
import { memoryMb } from './drive.mjs';
import { bar, compare, summarise } from './figures.mjs';
import { fillPlayers, fillRoles, fillWithdrawals, fillServers, WITHDRAWALS_EACH } from './fill.mjs';
import { samplePlayers, SERVERS } from './population.mjs';
import { count, percent, times } from './report.mjs';
import { createTrial, runRounds } from './rounds.mjs';
import { pathsNamed } from './scenarios.mjs';
import * as stage from './stage.mjs';

const READY_BAR_MS = 3000;
const REST_BAR_MB = 130;

export async function measurePaths(options) {
  const { engine, players, only } = options;
  const scenarios = pathsNamed(only);
  const startEngine = engine === 'mysql' ? stage.startMySql : stage.startMariaDb;
  const [server, game] = await Promise.all([startEngine(), stage.startGame()]);
  const database = await openDatabase(server);
  await fillServers(database, game);
  await fillPlayers(database, players);
  const playerIds = samplePlayers(players);
  await fillRoles(game, players, playerIds.length);
  await fillWithdrawals(database, playerIds.length * WITHDRAWALS_EACH, players, game.server);

  const sides = {
    floor: await stage.startFloor(database, game),
    service: await stage.startService(database, game),
  };
  const memoryNow = () => ({
    floor: memoryMb(sides.floor.pid),
    service: memoryMb(sides.service.pid),
  });
  // V8 releases the memory used during startup in several steps, each after 8 idle seconds.
  await sleep(60_000);
  const atRest = memoryNow();

  const trials = [];
  for (const scenario of scenarios)
    trials.push(
      await createTrial(scenario, { sides, database, playerIds, players, servers: SERVERS }),
    );
  await runRounds(trials, options);
  const paths = trials.map(summarisePath);
  const memory = { 'at rest': atRest, 'after load': memoryNow() };
  const bars = [
    ...paths.flatMap(barsOf),
    bar('start to ready', sides.service.readyMs, 'ms', { most: READY_BAR_MS }),
    bar('memory at rest', atRest.service, 'MB', { most: REST_BAR_MB }),
  ];
  await Promise.all([sides.floor.stop(), sides.service.stop()]);

  await database.close();
  await Promise.all([game.stop(), server.stop()]);
  return {
    tables: [pathTable(paths, players), memoryTable(memory)],
    bars,
    figures: { players, paths, memory },
  };
}

function summarisePath({ scenario: { name, bars }, rounds: { floor, service } }) {
  return {
    name,
    bars,
    floor: summarise(floor),
    service: summarise(service),
    ...compare(service, floor),
  };
}

function barsOf({ name, bars = {}, ratio, service }) {
  const { rate, microseconds } = bars;
  const checks = [
    rate && bar(`${name}, vs floor`, ratio, '×', { least: rate }),
    microseconds &&
      bar(`${name}, CPU time`, service.processorMicroseconds, 'µs', {
        most: microseconds,
      }),
  ];
  return checks.filter(Boolean);
}

function pathTable(paths, players) {
  const latency = ({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`;
  const heads = ['path', 'floor, per second', 'service, per second', 'ratio', 'ratio spread'];
  heads.push('floor p50 / p99, ms', 'service p50 / p99, ms', 'floor CPU, µs', 'service CPU, µs');
  const rows = paths.map(({ name, floor, service, ratio, ratioSpread }) => [
    name,
    count(floor.rate),
    count(service.rate),
    times(ratio),
    percent(ratioSpread),
    latency(floor),
    latency(service),
    count(floor.processorMicroseconds),
    count(service.processorMicroseconds),
  ]);
  return { title: `${players} players, ${SERVERS} servers`, heads, rows };
}

function memoryTable(memory) {
  const rows = Object.entries(memory).map(([when, { floor, service }]) => [
    when,
    count(floor),
    count(service),
  ]);
  return { title: 'memory', heads: ['', 'floor, MB', 'service, MB'], rows };
}
