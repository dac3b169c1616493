import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { schemaReport } from '../../src/command/schema-report.js';
import { migrate } from '../../src/database/migrate.js';
import { checkSchema } from '../../src/database/schema/schema-check.js';
import { Cut } from '../support/cut-migration.js';
import {
  dropDatabases,
  emptyDatabase,
  inDatabase,
  letTheClaimExpire,
  run,
  schemaOf,
  tablesOf,
} from '../support/migration-databases.js';

const embedded = inject('database').kind === 'embedded';
let whole: Record<string, string>;

beforeAll(async () => {
  const environment = await emptyDatabase();
  await migrate(environment);
  whole = await schemaOf(environment);
});
afterAll(dropDatabases);

describe('migrations', () => {
  it('go on where they were cut off, after each statement, and end in the same schema', async () => {
    const environment = await emptyDatabase();
    const seen = new Set<string>();
    const isNew = (key: string) => !seen.has(key) && Boolean(seen.add(key));
    await inDatabase(environment, async (dataSource) => {
      for (;;) {
        const { isOff } = await Cut.during(isNew, () => migrate(environment));
        if (!isOff) break;
        await letTheClaimExpire(dataSource);
      }
    });
    expect(await schemaOf(environment)).toEqual(whole);
    // A table and its record, at the least, for each.
    expect(seen.size).toBeGreaterThan(2 * whole.names!.split(',').length);
  });

  it('state how they change a table that is in use: at once, beside the writers, or by a copy', async () => {
    const environment = await emptyDatabase();
    const { done } = await Cut.during(
      () => false,
      () => migrate(environment),
    );
    const changes = done.filter((sql) => /^\s*(ALTER TABLE|CREATE (UNIQUE )?INDEX)/i.test(sql));
    expect(changes.length).toBeGreaterThan(0);
    const unstated = changes.filter(
      (sql) => !/ALGORITHM=(INSTANT|INPLACE,? LOCK=NONE|COPY)$/.test(sql),
    );
    // SQLite has one writer at a time, and no such words.
    expect(unstated).toEqual(embedded ? changes : []);
  });
});

describe('gatehouse migrate --check', () => {
  it('says what would be done, changes nothing, and exits with 1 until it is done', async () => {
    const environment = await emptyDatabase();
    const { isOff } = await Cut.during(
      (sql) => sql.includes('"CreateWithdraw1794705000000"'),
      () => migrate(environment),
    );
    expect(isOff).toBe(true);
    await run(environment, "INSERT INTO player (account, password) VALUES ('one', 'x')");
    const before = await schemaOf(environment);

    const check = await checkSchema(environment);
    expect(await schemaOf(environment)).toEqual(before);
    const all = whole.names!.split(',');
    // The embedded database takes back a record that was not committed.
    const done = before.names!.split(',');
    expect(check.pending).toEqual(all.slice(done.length));
    expect(check.changes).toContainEqual({
      migration: 'ManyWriters1794710000000',
      table: 'player',
      does: 'adds lock_version',
      cost: 'at once',
      size: { rows: expect.any(Number), bytes: embedded ? null : expect.any(Number) },
    });
    expect(check.changes.filter(({ does }) => does === 'creates it')[0]!.size).toBeUndefined();
    const report = schemaReport(check);
    expect(report).toContain(`${check.pending.length} migrations are pending`);
    for (const name of check.pending) expect(report).toContain(name);

    await inDatabase(environment, letTheClaimExpire);
    await migrate(environment);
    const after = await checkSchema(environment);
    expect(after).toEqual({ pending: [], changes: [], foreign: new Map() });
    expect(schemaReport(after)).toBe('the schema is up to date');
  });

  it('finds a database that is not there yet without making it', async () => {
    const environment = await emptyDatabase();
    const { pending } = await checkSchema(environment);
    expect(pending).toEqual(whole.names!.split(','));
    expect(readdirSync(environment.DATA_DIR)).not.toContain('gatehouse.sqlite');
    if (!embedded) expect(await tablesOf(environment)).toEqual([]);
  });
});
