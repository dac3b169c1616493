import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { schemaReport } from '../../../src/operators/cli/schema-report.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { checkSchema, type SchemaCheck } from '../../../src/operators/cli/schema-check.js';
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

const namesOf = ({ pending }: SchemaCheck) => pending.map(({ name }) => name);

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
    // At least one statement for each table.
    expect(seen.size).toBeGreaterThan((await tablesOf(environment)).length);
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
  it('lists the pending statements without running them', async () => {
    const environment = await emptyDatabase();
    const { isOff } = await ConnectionCut.during(
      (sql) => sql.includes('"CreateWithdrawals'),
      () => migrate(environment),
    );
    expect(isOff).toBe(true);
    const before = await schemaOf(environment);

    const check = await withLaterMigration(() => checkSchema(environment));
    expect(await schemaOf(environment)).toEqual(before);
    // The embedded database rolls a record back that was not committed.
    const done = before.names!.split(',');
    expect(namesOf(check)).toEqual(whole.names!.split(',').slice(done.length));
    const report = schemaReport(check);
    expect(report).toContain(`${check.pending.length} migrations are pending`);
    for (const { name } of check.pending) expect(report).toContain(name);
    expect(report).toContain(
      embedded ? 'ALTER TABLE "player" ADD COLUMN' : 'ALTER TABLE player ADD COLUMN',
    );
    expect(report).not.toContain('information_schema');

    await inDatabase(environment, expireMigrationClaim);
    const after = await withLaterMigration(async () => {
      await migrate(environment);
      return checkSchema(environment);
    });
    expect(after).toEqual({ pending: [], foreign: new Map() });
    expect(schemaReport(after)).toBe('the schema is up to date');
  });

  it('does not create a missing database', async () => {
    const environment = await emptyDatabase();
    expect(namesOf(await checkSchema(environment))).toEqual(baseline.names!.split(','));
    expect(readdirSync(environment.DATA_DIR)).not.toContain('gatehouse.sqlite');
    if (!embedded) expect(await tablesOf(environment)).toEqual([]);
  });
});
