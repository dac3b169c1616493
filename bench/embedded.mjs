// The same paths on the embedded database. There is no floor for it: it is for a first run, and has no bars.
import { hash } from 'node:crypto';
import { openEmbedded } from './databases.mjs';
import { summarise } from './figures.mjs';
import { accountOf, passwordOf, SERVERS } from './population.mjs';
import { count } from './report.mjs';
import { createTrial, runRounds } from './rounds.mjs';
import { PATHS, WITHDRAWAL_LIST } from './scenarios.mjs';
import { SECRETS, startService } from './stage.mjs';

export async function measureEmbedded(options, game, asked) {
  console.log('the embedded database:');
  const { players } = options;
  const database = await openEmbedded();
  fill(database.file, players, game);
  const sides = { service: await startService(database, game) };
  const trials = [];
  // No withdrawals of other days are filled in here.
  for (const scenario of PATHS.filter((path) => path !== WITHDRAWAL_LIST))
    trials.push(await createTrial(scenario, { sides, database, asked, players, servers: SERVERS }));
  await runRounds(trials, options);
  await sides.service.stop();
  database.close();

  const paths = trials.map(({ scenario, rounds }) => ({
    name: scenario.name,
    service: summarise(rounds.service),
  }));
  const heads = ['path', 'a second', 'p50 / p99, ms', 'CPU, µs'];
  const rows = paths.map(({ name, service: { rate, p50Ms, p99Ms, processorMicroseconds } }) => [
    name,
    count(rate),
    `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`,
    count(processorMicroseconds),
  ]);
  return {
    table: { title: `on the embedded database, ${players} players`, heads, rows },
    bars: [],
    figures: { embedded: paths },
  };
}

function fill(file, players, game) {
  const server = file.prepare(
    `INSERT INTO server (id, name, address, port, sort, gm_address, gm_port) VALUES (?, ?, ?, ?, ?, '127.0.0.1', ?)`,
  );
  const account = file.prepare(
    'INSERT INTO player (id, account, password, email, server_id) VALUES (?, ?, ?, ?, 1)',
  );
  const link = file.prepare(
    `INSERT INTO player_connect_threeparty (player_id, provider, connect_id) VALUES (?, 'forum', ?)`,
  );
  const address = file.prepare(
    `INSERT INTO login_address (player_id, address, seen_at) VALUES (?, '127.0.0.1', ?)`,
  );
  // As in fill.mjs: the session of a player's token has the player's number.
  const session = file.prepare(
    `INSERT INTO session (player_id, id, ver, address, created_at, confirmed_at, seen_at, expires_at)
      VALUES (?, ?, 0, '127.0.0.1', ?, ?, ?, ?)`,
  );
  const now = new Date().toISOString().slice(0, 23).replace('T', ' ');
  file.exec('BEGIN');
  for (let id = 1; id <= SERVERS; id++)
    server.run(id, `盟重土城 ${id}`, `s${id}.game.example`, 7000 + id, id, game.port);
  for (let id = 1; id <= players; id++) {
    const password = hash('md5', passwordOf(id) + SECRETS.PASSWORD_KEY);
    account.run(id, accountOf(id), password, `${accountOf(id)}@mail.example`);
    link.run(id, String(id));
    address.run(id, now);
    session.run(id, id, now, now, now, now);
  }
  file.exec('COMMIT');
}
