import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { CheckResult } from '../../../src/operators/cli/check/check-result.js';
import {
  CheckCommand,
  CheckCommandModule,
} from '../../../src/operators/cli/check/check.command.js';
import {
  withCommandContext,
  withUncheckedContext,
} from '../../../src/operators/cli/command-context.js';
import { checkSchema, schemaReport } from '../../../src/operators/cli/migrate/migrate.command.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import type { SchemaPlan } from '../../../src/platform/database/migration-plan.js';
import { isSchemaUsable } from '../../../src/platform/database/schema-state.js';
import { SECRETS } from '../../support/accounts.js';
import { ConnectionCut } from '../../support/migrations/connection-cut.js';
import {
  LATER,
  LATER_CHANGE,
  withLaterMigration,
} from '../../support/migrations/later-migration.js';
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

const namesOf = ({ migrations }: SchemaPlan) => migrations.map(({ name }) => name);

describe('migrate()', () => {
  it('resumes after an interruption at any statement and produces the same schema', async () => {
    const environment = await emptyDatabase();
    // The embedded database rolls back a whole run, so its last migration is enough.
    if (embedded) await migrate(environment);
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
    // Each table takes at least one statement. On the embedded database, only the later migration is left to run.
    const least = embedded ? LATER_CHANGE.embedded.length : (await tablesOf(environment)).length;
    expect(seen.size).toBeGreaterThan(least);
  });

  it('upgrades a baseline with data once when two instances start together', async () => {
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

describe('isSchemaUsable', () => {
  it("compares the migrations' names, not their number", async () => {
    const environment = await emptyDatabase();
    const isUsable = () => inDatabase(environment, isSchemaUsable);
    const record = (name: string) =>
      run(environment, `INSERT INTO migrations (timestamp, name) VALUES (1, '${name}')`);
    expect(await isUsable()).toBe(false);
    await migrate(environment);
    expect(await isUsable()).toBe(true);
    expect(await withLaterMigration(isUsable)).toBe(false);

    await record('Other1');
    expect(await isUsable()).toBe(!environment.embedded);
    expect(await withLaterMigration(isUsable)).toBe(false);
    await record('ContractOther2');
    expect(await isUsable()).toBe(false);
  });
});

describe('A command on a database without tables', () => {
  it('names the missing schema as the problem, not the database', async () => {
    const { DATA_DIR, DATABASE_URL } = await emptyDatabase();
    for (const [name, value] of Object.entries({ ...SECRETS, DATA_DIR, DATABASE_URL }))
      vi.stubEnv(name, value);
    await expect(withCommandContext(CheckCommandModule, () => expect.fail())).rejects.toThrow(
      'run gatehouse migrate first',
    );
    const found = await withUncheckedContext(CheckCommandModule, async (app) => {
      const { data } = await app.get(CheckCommand).check({});
      return data as CheckResult[];
    });
    // Neither a mail server nor an instance runs in this test.
    const ours = found.filter(({ what }) => !/^(mail|instance)/.test(what));
    expect(ours.filter(({ state }) => state === 'wrong')).toEqual([
      { what: 'schema', state: 'wrong', text: 'missing: run gatehouse migrate' },
    ]);
    expect(ours).toContainEqual(expect.objectContaining({ what: 'servers', state: 'note' }));
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
    // The embedded database rolls back all of an interrupted run.
    const done = before.names!.split(',').filter(Boolean);
    expect(namesOf(check)).toEqual(whole.names!.split(',').slice(done.length));
    const report = schemaReport(check);
    expect(report).toContain(`${check.migrations.length} migrations are pending`);
    for (const { name } of check.migrations) expect(report).toContain(name);
    expect(report).toContain(
      embedded ? 'ALTER TABLE "player" ADD COLUMN' : 'ALTER TABLE player ADD COLUMN',
    );
    expect(report).not.toContain('information_schema');

    await inDatabase(environment, expireMigrationClaim);
    const after = await withLaterMigration(async () => {
      await migrate(environment);
      return checkSchema(environment);
    });
    expect(after.migrations).toEqual([]);
    expect(schemaReport(after)).toBe('the schema is up to date');
  });

  it('does not create a missing database', async () => {
    const environment = await emptyDatabase();
    expect(namesOf(await checkSchema(environment))).toEqual(baseline.names!.split(','));
    expect(readdirSync(environment.DATA_DIR)).not.toContain('gatehouse.sqlite');
    if (!embedded) expect(await tablesOf(environment)).toEqual([]);
  });
});
