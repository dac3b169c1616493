// `npm run bench -- --growth` measures the paths at several table sizes. All sizes share one
// MariaDB and take turns within each round, so that noise affects all sizes alike.
import { writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { openDatabase } from './databases.mjs';
import { DESK, DESK_BAR_MS, deskTable, timeDeskPages } from './desk.mjs';
import { bar, compare, summarise } from './figures.mjs';
import * as fill from './fill.mjs';
import { growthTable } from './growth-tables.mjs';
import { plot } from './plot.mjs';
import { samplePlayers, SERVERS } from './population.mjs';
import { createTrial, runRounds } from './rounds.mjs';
import * as paths from './scenarios.mjs';
import * as stage from './stage.mjs';

const LOGIN_BAR = 0.9;
const MANY_SERVERS = 1000;
// This exceeds the number of requests per table size in a whole run, so that most requests to the
// large tables are for a new player.
const SAMPLE_SIZE = 50_000;

/** Lists each path with the table that grows. */
const GROWING_PATHS = [
  [paths.CHECK_MD5, 'players'],
  [paths.CHECK_JWT, 'players'],
  [paths.LOGIN, 'players'],
  [paths.WRONG_LOGIN, 'players'],
  [paths.ENTER_GAME, 'players'],
  [paths.LINK, 'players'],
  [paths.CHAT_BATCH, 'chat'],
  [paths.ROLES, 'withdrawals'],
  [paths.WITHDRAW, 'withdrawals'],
  [paths.WITHDRAWAL_LIST, 'withdrawals'],
];

export async function measureGrowth(options) {
  const [mariadb, game] = await Promise.all([
    stage.startMariaDb({ pool: `${poolGb()}G`, log: '1G' }),
    stage.startGame(),
  ]);
  const smallest = Math.min(...options.sizes);
  const worlds = [];
  for (const players of options.sizes.toSorted((one, other) => one - other)) {
    const rows = { players, chat: players, withdrawals: Math.max(players / 10, 1000) };
    worlds.push(await createWorld(mariadb, game, { ...rows, servers: SERVERS }));
  }
  const isDeskOnly = options.only?.every((name) => name === DESK) ?? false;
  const rows = { players: smallest, chat: 0, withdrawals: 0 };
  const manyServers = isDeskOnly
    ? undefined
    : await createWorld(mariadb, game, { ...rows, servers: MANY_SERVERS });
  await flushPages(worlds[0].database);

  const lines = manyServers
    ? [await createLine(paths.SERVER_LIST, 'servers', [worlds[0], manyServers])]
    : [];
  const selected = GROWING_PATHS.filter(
    ([{ name }]) => !options.only || options.only.includes(name),
  );
  for (const [scenario, table] of selected) lines.push(await createLine(scenario, table, worlds));
  if (lines.length > 0)
    await runRounds(
      lines.flatMap(({ trials }) => trials),
      options,
    );
  // The desk comes last, because its rows would slow down the other paths.
  const desk = [];
  if (!options.only || options.only.includes(DESK))
    for (const world of worlds) desk.push(await timeDeskPages(world, game));

  for (const { sides, database } of [...worlds, ...(manyServers ? [manyServers] : [])]) {
    await Promise.all([sides.floor.stop(), sides.service.stop()]);
    await database.close();
  }
  await Promise.all([game.stop(), mariadb.stop()]);
  const growth = lines.map(summarisePath);
  if (growth.length > 0) writeFileSync(options.svg, plot(growth));
  const login = growth.filter(({ name }) => name === paths.LOGIN.name);
  return {
    tables: [growthTable(growth), ...desk.map(deskTable)],
    pictures: ['![Requests per second by table size](growth.svg)'],
    bars: [
      ...login.map(({ name, kept }) =>
        bar(`${name}, largest vs smallest`, kept, '×', { least: LOGIN_BAR }),
      ),
      ...desk.slice(-1).map(({ pages }) => {
        const { name, p95 } = pages.toSorted((one, other) => other.p95 - one.p95)[0];
        return bar(`slowest desk page, p95: ${name}`, p95, 'ms', { most: DESK_BAR_MS });
      }),
    ],
    figures: { growth, desk, poolGb: poolGb() },
  };
}

/** Creates a filled database with its own floor and service. */
async function createWorld(mariadb, game, { players, servers, chat, withdrawals }) {
  const started = performance.now();
  const database = await openDatabase(mariadb);
  const playerIds = samplePlayers(players, SAMPLE_SIZE);
  await fill.fillServers(database, game, servers);
  await fill.fillPlayers(database, players);
  await fill.fillLogins(database, players, players);
  await fill.fillRoles(game, players, playerIds.length);
  if (chat > 0) await fill.fillChat(database, chat);
  if (withdrawals > 0) await fill.fillWithdrawals(database, withdrawals, players, game.server);
  const seconds = (performance.now() - started) / 1000;
  console.log(`filled ${players} players and ${servers} servers in ${seconds.toFixed(0)} s`);
  const sides = {
    floor: await stage.startFloor(database, game),
    service: await stage.startService(database, game),
  };
  return { players, servers, chat, withdrawals, database, playerIds, sides };
}

async function createLine(scenario, table, worlds) {
  const trials = [];
  for (const world of worlds) {
    // Only these players have withdrawals.
    const owners = Math.floor(world.withdrawals / fill.WITHDRAWALS_EACH);
    const playerIds =
      scenario === paths.WITHDRAWAL_LIST ? world.playerIds.slice(0, owners) : world.playerIds;
    trials.push(await createTrial(scenario, { ...world, playerIds }));
  }
  return { scenario, table, trials };
}

function summarisePath({ scenario, table, trials }) {
  const [smallest, largest] = [trials[0], trials.at(-1)];
  const { ratio: kept, ratioSpread: keptSpread } = compare(
    largest.rounds.service,
    smallest.rounds.service,
  );
  const points = trials.map(({ stage: world, rounds }) => ({
    rows: world[table],
    floor: summarise(rounds.floor),
    service: summarise(rounds.service),
    ...compare(rounds.service, rounds.floor),
  }));
  return { name: scenario.name, table, points, kept, keptSpread };
}

/**
 * Writes the pages changed by the fill to disk, so that flushing does not disturb the measurement.
 */
async function flushPages({ query }) {
  await query('SET GLOBAL innodb_max_dirty_pages_pct = 0');
  const dirty = "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'";
  while (Number((await query(dirty))[0].Value) > 1000) await query('DO SLEEP(1)');
  await query('SET GLOBAL innodb_max_dirty_pages_pct = 90');
}

/** Sizes the buffer pool to hold all tables, but to take at most half of this machine's memory. */
function poolGb() {
  return Math.max(1, Math.min(10, Math.floor(totalmem() / 2 ** 31)));
}
