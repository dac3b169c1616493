import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../../src/platform/database/migrate.js';
import { parseEnvironment } from '../../../src/platform/config/parse-environment.js';
import { SECRETS } from '../../support/accounts.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { startApp } from '../../support/api/app.js';
import { until } from '../../support/until.js';
import { documentedSql } from '../../support/documents/documented-sql.js';

// MariaDB has no group replication.
const MYSQL_ALONE = /replication_group_members/;
const DATABASES = ['gatehouse'];
const USERS = [
  "gatehouse@'127.0.0.1'",
  "gatehouse_read@'127.0.0.1'",
  "gatehouse_service@'127.0.0.1'",
  // In docs/scaling.md, the database is on other machines.
  "gatehouse@'10.0.0.%'",
];

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

/** Runs the statements in order and returns those that the server rejects. */
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

describe('The SQL statements', () => {
  it('in docs/operations.md run unchanged, the setup statements first', async () => {
    const statements = documentedSql('docs/operations.md');
    expect(statements.length).toBeGreaterThan(20);
    const isSetUp = (sql: string) => /^(CREATE|GRANT)/.test(sql);
    // "Going live" creates the database, but comes after sections whose statements need it.
    const byDatabase = (sql: string) => (sql.startsWith('CREATE DATABASE') ? 0 : 1);
    const setUp = statements.filter(isSetUp);
    expect(
      await refusedOf(setUp.toSorted((one, other) => byDatabase(one) - byDatabase(other))),
    ).toEqual([]);
    await makeTables();
    expect(await refusedOf(statements.filter((sql) => !isSetUp(sql)))).toEqual([]);
  });

  it('in docs/operations.md have the documented effect', async () => {
    expect(await query('SELECT status, merged_into FROM server WHERE id = 12')).toEqual([
      { status: 'maintenance', merged_into: 3 },
    ]);
    expect(await query('SELECT player_id, amount, status FROM withdraw')).toEqual([
      { player_id: 1, amount: 700, status: 'succeeded' },
    ]);
  });

  it('in docs/operations.md create a user that can run the service but only append to audit_event', async () => {
    await query("DROP USER gatehouse_service@'127.0.0.1'");
    const documented = documentedSql('docs/operations.md').filter((sql) =>
      sql.includes('gatehouse_service'),
    );
    const results = [];
    for (const sql of documented) results.push(await query(sql));
    const grants = (results.at(-1) as Array<{ statement: string }>).map((row) => row.statement);
    expect(grants.length).toBeGreaterThan(10);
    for (const sql of grants) await query(sql);
    const { port } = new URL((run as { rootUrl: string }).rootUrl);
    const DATABASE_URL = `mysql://gatehouse_service:…@127.0.0.1:${port}/gatehouse`;
    const service = await startApp({ env: { DATABASE_URL } });
    await until(async () => (await service.client.get('/api/health/ready')).status === 200);
    const { database } = service;
    const action = { act: 'player.disable', subject: 'player 1', before: null, after: null };
    await service.app.get(AuditLog).write(database.manager, { by: 'anna', note: 'x' }, action);
    for (const sql of ["UPDATE audit_event SET note = ''", 'DELETE FROM audit_event'])
      await expect(database.query(sql)).rejects.toThrow('command denied');
    await service.stop();
  });

  it('in docs/operations.md create an owner with only the rights to create and migrate the database', async () => {
    await query("DROP USER gatehouse@'127.0.0.1'");
    for (const sql of documentedSql('docs/operations.md'))
      if (/^(CREATE USER|GRANT) .*\bgatehouse@/.test(sql)) await query(sql);
    const grants = JSON.stringify(await query("SHOW GRANTS FOR gatehouse@'127.0.0.1'"));
    expect(grants).toContain('LOCK TABLES');
    expect(grants).not.toMatch(/ALL PRIVILEGES|GRANT OPTION|TRIGGER|EXECUTE|EVENT/);
    const { port } = new URL((run as { rootUrl: string }).rootUrl);
    const url = `mysql://gatehouse:…@127.0.0.1:${port}`;
    // "Restore a backup" recreates the database as this user.
    const owner = await createConnection(url);
    await owner.query('DROP DATABASE gatehouse');
    await owner.query('CREATE DATABASE gatehouse CHARACTER SET utf8mb4');
    await owner.end();
    await migrate(parseEnvironment({ ...SECRETS, DATABASE_URL: `${url}/gatehouse` }));
    await query('USE gatehouse');
    expect(await query('SELECT COUNT(*) AS players FROM player')).toEqual([{ players: 0 }]);
  });

  it('in docs/import.md run unchanged', async () => {
    const statements = documentedSql('docs/import.md');
    expect(statements).not.toEqual([]);
    expect(await refusedOf(statements)).toEqual([]);
  });

  it('in docs/scaling.md run unchanged', async () => {
    await query("CREATE USER gatehouse@'10.0.0.%'");
    const statements = documentedSql('docs/scaling.md').filter(
      (sql) => run.kind === 'mysql' || !MYSQL_ALONE.test(sql),
    );
    expect(statements).not.toEqual([]);
    expect(await refusedOf(statements)).toEqual([]);
  });
});
