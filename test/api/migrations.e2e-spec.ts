import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { DataSource } from 'typeorm';
import type { Environment } from '../../src/config/environment.js';
import { parseEnvironment } from '../../src/config/parse-environment.js';
import { createPatientDataSource } from '../../src/database/data-source.js';
import { connected, migrate } from '../../src/database/migrate.js';
import { Cut } from '../support/cut-migration.js';
import { SECRETS } from '../support/deployment.js';
import { createDatabase } from '../support/mariadb.js';
import { dumpSchema } from '../support/schema-dump.js';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.js';

const { kind } = inject('database');
const embedded = kind === 'embedded';
const cleanUp: Array<() => unknown> = [];
let whole: Record<string, string>;

async function emptyDatabase(): Promise<Environment> {
  const folder = temporaryFolder('migrations');
  cleanUp.push(() => removeFolder(folder));
  const database = inject('database');
  const env: Record<string, string> = { DATA_DIR: folder, ...SECRETS };
  if (database.kind !== 'embedded') {
    const fresh = await createDatabase(database.rootUrl);
    cleanUp.push(fresh.drop);
    env.DATABASE_URL = fresh.url;
  }
  return parseEnvironment(env);
}

function inDatabase<T>(
  environment: Environment,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  return connected(createPatientDataSource(environment), work);
}

const run = (environment: Environment, sql: string) =>
  inDatabase(environment, (dataSource) => dataSource.query(sql));
const schemaOf = (environment: Environment) => inDatabase(environment, dumpSchema);

/** The claim of a dead process expires after 30 s. */
async function letTheClaimExpire(environment: Environment): Promise<void> {
  if (!embedded)
    await run(environment, "UPDATE migration_claim SET valid_until = '2000-01-01'").catch((error) =>
      expect(error.driverError.code).toBe('ER_NO_SUCH_TABLE'),
    );
}

beforeAll(async () => {
  const environment = await emptyDatabase();
  await migrate(environment);
  whole = await schemaOf(environment);
});
afterAll(async () => {
  for (const task of cleanUp) await task();
});

describe('migrations', () => {
  it('go on where they were cut off, after each statement, and end in the same schema', async () => {
    const environment = await emptyDatabase();
    const seen = new Set<string>();
    const isNew = (key: string) => !seen.has(key) && Boolean(seen.add(key));
    for (;;) {
      const { isOff } = await Cut.during(isNew, () => migrate(environment));
      if (!isOff) break;
      await letTheClaimExpire(environment);
    }
    expect(await schemaOf(environment)).toEqual(whole);
    // A table and its record, at the least, for each.
    expect(seen.size).toBeGreaterThan(2 * whole.names!.split(',').length);
  });
});
