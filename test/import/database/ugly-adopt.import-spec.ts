import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SECRETS } from '../../support/accounts.js';
import { type Deployment, freshDeployment } from '../../support/api/deployment.js';
import { ImportCommand } from '../../support/import/import-command.js';
import { findDifferences } from '../../support/import/independent-verifier.js';
import { UglyDatabase, uglyMap } from '../../support/import/ugly-database.js';
import { createDatabase } from '../../support/servers/mariadb.js';
import { until } from '../../support/until.js';

// The players fill three chunks; the second one waits for a row while the others are committed.
const PLAYERS = 11_000;
const HELD_ID = 9000;
const TABLES = { players: 'player', promoters: 'agent', servers: 'server' };
const SEED = 4;

const { rootUrl } = inject('database') as { rootUrl: string };
let command: ImportCommand;
let deployment: Deployment;
let game: Awaited<ReturnType<typeof createDatabase>>;
let connection: Connection;
let env: Record<string, string>;

beforeAll(async () => {
  command = new ImportCommand(uglyMap({ tables: TABLES }));
  deployment = await freshDeployment();
  game = await createDatabase(rootUrl);
  const options = { charset: 'utf8mb4', timezone: 'Z', multipleStatements: true };
  connection = await createConnection({ uri: deployment.url, ...options });
  const settings = join(command.folder, 'settings.yaml');
  const pattern = databaseOf(game.url).replace(/\d(?=\D*$)/, '{server_id}');
  writeFileSync(settings, `game_database: { pattern: "${pattern}" }`);
  env = { ...deployment.env, GAME_DATABASE_URL: rootUrl, SETTINGS_FILE: settings };
});
afterAll(async () => {
  await connection?.end();
  await game?.drop();
  await deployment?.drop();
  command?.cleanUp();
});

const databaseOf = (url: string) => new URL(url).pathname.slice(1);
const query = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0];

it('An irregular database is adopted after kill -9 with no player lost, swapped, banned or unbanned, and restored by --undo', async () => {
  const gameName = databaseOf(game.url);
  const old = new UglyDatabase(connection, [gameName], SECRETS.PASSWORD_KEY, SEED, {
    tables: TABLES,
  });
  await old.fill(PLAYERS);
  const checksums = () => query('CHECKSUM TABLE player, agent, server, usr_ban, usr_forum');
  const before = await checksums();

  const gate = await createConnection(deployment.url);
  await gate.query('LOCK TABLES usr_ban WRITE');
  const killed = command.begin(['--adopt'], env);
  const waiting = `SELECT 1 FROM information_schema.processlist
    WHERE db = DATABASE() AND state LIKE 'Waiting for table%'`;
  await until(async () => (await query(waiting)).length > 0);
  const inTheWay = await createConnection(deployment.url);
  await inTheWay.query('START TRANSACTION');
  await inTheWay.query(
    `INSERT INTO player (id, account, password) VALUES (${HELD_ID}, 'held', '')`,
  );
  await gate.end();
  const isHeld = async () => (await query('SELECT 1 FROM import_chunk')).length === 2;
  await until(isHeld, { within: 150_000 });
  await killed.stop('SIGKILL');
  await inTheWay.end();

  const { status, output } = await command.run(['--adopt'], env);
  expect(output).toContain('moved aside before');
  // Players who must learn a new name count as lost until an operator confirms them.
  expect([0, 1]).toContain(status);
  const here = databaseOf(deployment.url);
  expect(await findDifferences(connection, here, old)).toEqual([]);
  const accept = ['--try', old.knownPassword, '--accept', join(command.folder, 'report/run.csv')];
  const proof = await command.run(['--verify', '--from', deployment.url, ...accept], env);
  expect(proof.output.trim()).toMatch(/\n11 002 players, [\d ]+ proven, [\d ]+ accepted, 0 lost$/);

  expect((await command.run(['--undo'], env)).status).toBe(0);
  expect(await checksums()).toEqual(before);
  expect(await query('SHOW TABLES')).toHaveLength(5);
}, 600_000);
