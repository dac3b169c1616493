import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { schemaReport } from '../../../src/operators/cli/schema-report.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { checkSchema } from '../../../src/operators/cli/schema-check.js';
import { isSchemaCurrent } from '../../../src/platform/database/schema/schema-current.js';
import { ConnectionCut } from '../../support/migrations/connection-cut.js';
import { withLaterMigration } from '../../support/migrations/later-migration.js';
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
const LATER = 'LaterMigration4102444800000';
let baseline: Record<string, string>;
let whole: Record<string, string>;

beforeAll(async () => {
  const environment = await emptyDatabase();
  await migrate(environment);
  baseline = await schemaOf(environment);
  await withLaterMigration(() => migrate(environment));
  whole = await schemaOf(environment);
});
afterAll(dropDatabases);

describe('migrate()', () => {
  it('resumes after a cut behind any statement and ends in the same schema', async () => {
    const environment = await emptyDatabase();
    const seen = new Set<string>();
    const isNew = (key: string) => !seen.has(key) && Boolean(seen.add(key));
    await withLaterMigration(() =>
      inDatabase(environment, async (dataSource) => {
        for (;;) {
          const { isOff } = await ConnectionCut.during(isNew, () => migrate(environment));
          if (!isOff) break;
          await expireMigrationClaim(dataSource);
        }
      }),
    );
    expect(await schemaOf(environment)).toEqual(whole);
    // At least a statement and its record for each table.
    expect(seen.size).toBeGreaterThan(2 * (await tablesOf(environment)).length);
  });

  it('upgrades a filled baseline once when two instances start together', async () => {
    const environment = await emptyDatabase();
    await migrate(environment);
    expect(await schemaOf(environment)).toEqual(baseline);
    await run(environment, "INSERT INTO player (account, password) VALUES ('one', 'x')");
    const done = await withLaterMigration(() =>
      Promise.all([migrate(environment), migrate(environment)]),
    );
    expect(done.toSorted((one, other) => one.length - other.length)).toEqual([[], [LATER]]);
    expect(await schemaOf(environment)).toEqual(whole);
    expect(await run(environment, 'SELECT nickname FROM player')).toEqual([{ nickname: 'one' }]);
  });

  it('states the algorithm and lock of every change to an existing table', async () => {
    const environment = await emptyDatabase();
    const { done } = await ConnectionCut.during(
      () => false,
      () => withLaterMigration(() => migrate(environment)),
    );
    const changes = done.filter((sql) => /^\s*(ALTER TABLE|CREATE (UNIQUE )?INDEX)/i.test(sql));
    expect(changes.length).toBeGreaterThan(0);
    const unstated = changes.filter(
      (sql) => !/ALGORITHM=(INSTANT|INPLACE,? LOCK=NONE|COPY)$/.test(sql),
    );
    // SQLite has one writer at a time and no such clauses.
    expect(unstated).toEqual(embedded ? changes : []);
  });
});

describe('isSchemaCurrent', () => {
  it('compares the names of the migrations, not their number', async () => {
    const environment = await emptyDatabase();
    const isCurrent = () => inDatabase(environment, isSchemaCurrent);
    expect(await isCurrent()).toBe(false);
    await migrate(environment);
    expect(await isCurrent()).toBe(true);
    expect(await withLaterMigration(isCurrent)).toBe(false);

    await run(environment, "INSERT INTO migrations (timestamp, name) VALUES (1, 'Other1')");
    expect(await isCurrent()).toBe(true);
    expect(await withLaterMigration(isCurrent)).toBe(false);
  });
});

describe('gatehouse migrate --check', () => {
  it('lists the pending changes and their cost without changing anything', async () => {
    const environment = await emptyDatabase();
    const { isOff } = await ConnectionCut.during(
      (sql) => sql.includes('"CreateWithdrawals'),
      () => migrate(environment),
    );
    expect(isOff).toBe(true);
    await run(environment, "INSERT INTO player (account, password) VALUES ('one', 'x')");
    const before = await schemaOf(environment);

    const check = await withLaterMigration(() => checkSchema(environment));
    expect(await schemaOf(environment)).toEqual(before);
    const all = whole.names!.split(',');
    // The embedded database rolls a record back that was not committed.
    const done = before.names!.split(',');
    expect(check.pending).toEqual(all.slice(done.length));
    const later = check.changes.filter(({ migration }) => migration === LATER);
    expect(later.map(({ table, does, cost }) => [table, does, cost])).toEqual([
      ['player_note', 'creates it', 'at once'],
      ...(embedded ? [] : [['agent', 'changes name', 'reads it']]),
      ['player', 'adds nickname', 'at once'],
      ['player', 'changes rows', 'reads it'],
      ['player', 'adds player_nickname', 'reads it'],
      ['chat', embedded ? 'adds chat_hour' : 'adds chat_hour; removes chat_time', 'reads it'],
      embedded
        ? ['server', 'adds region', 'at once']
        : ['server', 'adds region, server_region', 'copies it'],
    ]);
    expect(later.find(({ table }) => table === 'player')!.size).toEqual({
      rows: expect.any(Number),
      bytes: embedded ? null : expect.any(Number),
    });
    expect(check.changes.filter(({ does }) => does === 'creates it')[0]!.size).toBeUndefined();
    const report = schemaReport(check);
    expect(report).toContain(`${check.pending.length} migrations are pending`);
    for (const name of check.pending) expect(report).toContain(name);

    await inDatabase(environment, expireMigrationClaim);
    const after = await withLaterMigration(async () => {
      await migrate(environment);
      return checkSchema(environment);
    });
    expect(after).toEqual({ pending: [], changes: [], foreign: new Map() });
    expect(schemaReport(after)).toBe('the schema is up to date');
  });

  it('does not create a missing database', async () => {
    const environment = await emptyDatabase();
    const { pending } = await checkSchema(environment);
    expect(pending).toEqual(baseline.names!.split(','));
    expect(readdirSync(environment.DATA_DIR)).not.toContain('gatehouse.sqlite');
    if (!embedded) expect(await tablesOf(environment)).toEqual([]);
  });
});
