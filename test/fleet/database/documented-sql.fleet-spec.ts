import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../../src/platform/database/migrate.js';
import { parseEnvironment } from '../../../src/platform/config/parse-environment.js';
import { SECRETS } from '../../support/accounts.js';
import { documentedSql } from '../../support/documents/documented-sql.js';

// MariaDB has no group replication.
const MYSQL_ALONE = /replication_group_members/;
const DATABASES = ['gatehouse'];
const USERS = ["gatehouse@'10.0.0.%'", "gatehouse_read@'10.0.0.%'"];

const run = inject('database');
let connection: Connection;

beforeAll(async () => {
  if (run.kind === 'embedded') throw new Error('the pages are about MariaDB and MySQL');
  connection = await createConnection(run.rootUrl);
});

afterAll(async () => {
  for (const name of DATABASES) await connection.query(`DROP DATABASE IF EXISTS ${name}`);
  for (const user of USERS) await connection.query(`DROP USER IF EXISTS ${user}`);
  await connection.end();
});

const query = async (sql: string) => (await connection.query(sql))[0];

/** Runs the statements in order and returns those that the server refuses. */
async function refusedOf(statements: string[]): Promise<string[]> {
  const refused: string[] = [];
  for (const sql of statements)
    await query(sql).catch((error: Error) => refused.push(`${sql}: ${error.message}`));
  return refused;
}

async function makeTables(): Promise<void> {
  const { rootUrl } = run as { rootUrl: string };
  await migrate(parseEnvironment({ ...SECRETS, DATABASE_URL: `${rootUrl}/gatehouse` }));
  await query('USE gatehouse');
  await query(
    `INSERT INTO player (account, password) VALUES ('dragon_slayer', '${'0'.repeat(32)}')`,
  );
}

describe('the SQL statements', () => {
  it('of docs/operations.md run unchanged, from the first to the last', async () => {
    const statements = documentedSql('docs/operations.md');
    expect(statements.length).toBeGreaterThan(40);
    const begin = statements.findIndex((sql) => !/^(CREATE|GRANT)/.test(sql));
    expect(await refusedOf(statements.slice(0, begin))).toEqual([]);
    await makeTables();
    expect(await refusedOf(statements.slice(begin))).toEqual([]);
  });

  it('of docs/operations.md have the documented effect', async () => {
    expect(await query('SELECT status, merged_into FROM server WHERE id = 12')).toEqual([
      { status: 'closed', merged_into: 3 },
    ]);
    expect(await query('SELECT player_id, amount, status FROM withdraw')).toEqual([
      { player_id: 1, amount: 700, status: 'succeeded' },
    ]);
  });

  it('of docs/import.md run unchanged', async () => {
    const statements = documentedSql('docs/import.md');
    expect(statements).not.toEqual([]);
    expect(await refusedOf(statements)).toEqual([]);
  });

  it('of docs/scaling.md run unchanged', async () => {
    const statements = documentedSql('docs/scaling.md').filter(
      (sql) => run.kind === 'mysql' || !MYSQL_ALONE.test(sql),
    );
    expect(statements).not.toEqual([]);
    expect(await refusedOf(statements)).toEqual([]);
  });
});
