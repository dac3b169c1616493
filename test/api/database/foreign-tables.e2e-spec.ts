import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Environment } from '../../../src/platform/config/environment.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { SchemaProblem } from '../../../src/platform/database/schema-state.js';
import { ConnectionCut } from '../../support/migrations/connection-cut.js';
import {
  dropDatabases,
  emptyDatabase,
  inDatabase,
  expireMigrationClaim,
  run,
  schemaOf,
  tablesOf,
} from '../../support/migrations/migration-databases.js';

const embedded = inject('database').kind === 'embedded';
let whole: Record<string, string>;

beforeAll(async () => {
  const environment = await emptyDatabase();
  await migrate(environment);
  whole = await schemaOf(environment);
});
afterAll(dropDatabases);

/** Holds the previous generation's tables under the names in its specification. */
const OLD_TABLES: Record<string, string> = {
  agent: 'id INTEGER PRIMARY KEY, agent_name VARCHAR(50)',
  chat: 'id INTEGER PRIMARY KEY, msg VARCHAR(200)',
  player: 'id INTEGER PRIMARY KEY, account VARCHAR(50), password VARCHAR(32)',
  player_connect_threeparty: 'id INTEGER PRIMARY KEY, uid INTEGER, openid VARCHAR(64)',
  server: 'id INTEGER PRIMARY KEY, name VARCHAR(50), ip VARCHAR(50)',
  verify: 'id INTEGER PRIMARY KEY, email VARCHAR(100), code VARCHAR(6)',
  withdraw: 'id INTEGER PRIMARY KEY, account VARCHAR(50), num INTEGER',
};

async function createOld(environment: Environment, ...tables: string[]): Promise<void> {
  await inDatabase(environment, async (dataSource) => {
    for (const table of tables)
      await dataSource.query(`CREATE TABLE IF NOT EXISTS ${table} (${OLD_TABLES[table]})`);
  });
}

async function refusalOf(environment: Environment): Promise<string> {
  const refusal = await migrate(environment).catch((error: Error) => error);
  expect(refusal).toBeInstanceOf(SchemaProblem);
  return (refusal as Error).message;
}

/** Runs the recommended statement, or its SQLite equivalent because SQLite has no RENAME TABLE. */
async function runRecommended(environment: Environment, message: string): Promise<void> {
  const line = /RENAME TABLE (.*);$/.exec(message)!;
  const pieces = line[1]!
    .split(', ')
    .map((piece) => `ALTER TABLE ${piece.replace(' TO ', ' RENAME TO ')}`);
  await inDatabase(environment, async (dataSource) => {
    for (const sql of embedded ? pieces : [line[0]]) await dataSource.query(sql);
  });
}

describe('migrate', () => {
  it('lists all tables of another program and how to rename them before it changes anything', async () => {
    const environment = await emptyDatabase();
    const names = Object.keys(OLD_TABLES);
    await createOld(environment, ...names);
    const before = await tablesOf(environment);

    const message = await refusalOf(environment);
    expect(await tablesOf(environment)).toEqual(before);
    for (const name of names) expect(message).toContain(`\`${name}\``);
    expect(message).toContain('import --adopt');
    expect(message).not.toMatch(/\n|[{}]/);

    await runRecommended(environment, message);
    await migrate(environment);
    expect(await schemaOf(environment)).toMatchObject(whole);
    expect(await tablesOf(environment)).toEqual(
      expect.arrayContaining(names.map((name) => `old_${name}`)),
    );
  });

  it("continues an interrupted run once another program's table is renamed", async () => {
    const environment = await emptyDatabase();
    const { isOff } = await ConnectionCut.during(
      (sql) => /CREATE TABLE (IF NOT EXISTS )?"?agent/.test(sql),
      () => migrate(environment),
    );
    expect(isOff).toBe(true);
    await inDatabase(environment, expireMigrationClaim);
    await createOld(environment, 'player');
    // The interrupted run created `agent`, so the service recognises that table as its own.
    const message = await refusalOf(environment);
    expect(message).toContain('has `player`, which is not');

    await run(environment, 'CREATE TABLE IF NOT EXISTS old_player (id INTEGER PRIMARY KEY)');
    const again = await refusalOf(environment);
    expect(again).toContain('RENAME TABLE `player` TO `old_player_2`;');
    await runRecommended(environment, again);
    await migrate(environment);
    expect(await schemaOf(environment)).toMatchObject(whole);
  });

  it("recognises another program's migrations table", async () => {
    const environment = await emptyDatabase();
    await run(
      environment,
      'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, migration VARCHAR(99), batch INTEGER)',
    );
    const message = await refusalOf(environment);
    expect(message).toContain('has `migrations`, which is not');
    await runRecommended(environment, message);
    await migrate(environment);
    expect(await schemaOf(environment)).toMatchObject(whole);
  });
});
