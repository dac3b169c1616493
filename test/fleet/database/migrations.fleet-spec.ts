import { createConnection, type Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { parseEnvironment } from '../../../src/platform/config/parse-environment.js';
import { createMigrationDataSource } from '../../../src/platform/database/data-source.js';
import { withDataSource, migrate } from '../../../src/platform/database/migrate.js';
import { findColumn } from '../../../src/platform/database/migrations/dialect.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { freshDeployment } from '../../support/api/deployment.js';
import { PASSWORD, SECRETS } from '../../support/accounts.js';
import { createPlayer } from '../../support/api/factories.js';
import {
  inProject,
  spawnGatehouse,
  startGatehouse,
} from '../../support/servers/gatehouse-process.js';
import { createDatabase, startMariaDb } from '../../support/servers/mariadb.js';
import {
  LATER,
  LATER_CHANGE,
  withLaterMigration,
} from '../../support/migrations/later-migration.js';
import { ConnectionCut } from '../../support/migrations/connection-cut.js';
import { startMySql } from '../../support/servers/mysql.js';
import { ManagedProcess } from '../../support/servers/processes.js';
import { until } from '../../support/until.js';
import { dumpSchema } from '../../support/migrations/schema-dump.js';

/** Matches a stack trace or JSON, which must not be printed. */
const NOT_FOR_PEOPLE = /^ +at |\{"/m;

/** Reads the table like `mysqldump --single-transaction`, which holds the metadata lock until the dump ends. */
async function beginDump(url: string): Promise<Connection> {
  const dump = await createConnection(url);
  await dump.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
  await dump.query('SELECT * FROM player');
  return dump;
}

describe('ALTER TABLE in a migration', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp({ settings: { rate_limit: { per_minute: 100_000 } } });
  });
  afterAll(() => service.stop());

  it('waits for a running dump in short attempts, so that logins succeed meanwhile', async () => {
    const environment = service.app.get(Environment);
    const dump = await beginDump(environment.DATABASE_URL!);
    const { account } = await createPlayer(service);
    let changed = false;
    const change = withDataSource(createMigrationDataSource(environment), async (dataSource) => {
      await dataSource.query('ALTER TABLE player ADD COLUMN probe INT NULL');
      changed = true;
    });
    const statuses = new Set<number>();
    const loop = { isRunning: true };
    const logIn = async () => {
      const login = { account, password: PASSWORD };
      while (loop.isRunning) statuses.add((await service.client.post('/api/login', login)).status);
    };
    const logins = logIn();
    const isWaiting = async () => {
      const sql = `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'ALTER TABLE%' AND state LIKE 'Waiting%'`;
      return (await service.database.query<unknown[]>(sql)).length > 0;
    };
    for (let attempt = 0; attempt < 2; attempt++) {
      await until(isWaiting);
      await until(async () => !(await isWaiting()));
    }
    loop.isRunning = false;
    await logins;
    expect(changed).toBe(false);
    await dump.end();
    await change;
    expect([...statuses]).toEqual([200]);
    await service.database.query('SELECT probe FROM player LIMIT 1');
  });
});

describe('A schema upgrade', () => {
  it('continues after kill -9 of its process or the database, and runs once for two instances', async () => {
    const mysql = inject('database').kind === 'mysql';
    const server = mysql ? await startMySql() : await startMariaDb();
    try {
      const whole = await createDatabase(server.rootUrl);
      const environmentOf = (url: string) => parseEnvironment({ ...SECRETS, DATABASE_URL: url });
      await withLaterMigration(() => migrate(environmentOf(whole.url)));
      const { url } = await createDatabase(server.rootUrl);
      await migrate(environmentOf(url));
      const stuck = await runUntilStuck(url);
      await stuck.migration.stop('SIGKILL');
      await stuck.dump.end();

      const again = await runUntilStuck(url);
      await server.kill();
      expect(await again.migration.exit).toBe(1);
      expect(again.migration.output).toContain('could not be brought up to date');
      expect(again.migration.output).not.toMatch(NOT_FOR_PEOPLE);
      again.dump.destroy();

      await server.restart();
      await letTheClaimExpire(url);
      const both = await Promise.all([migrateLater(url), migrateLater(url)]);
      expect(await Promise.all(both.map(({ exit }) => exit))).toEqual([0, 0]);
      const done = both.filter(({ output }) => output.includes('migrated: LaterMigration'));
      expect(done).toHaveLength(1);
      const schemas = [whole.url, url].map((each) =>
        withDataSource(createMigrationDataSource(environmentOf(each)), dumpSchema),
      );
      const [expected, got] = await Promise.all(schemas);
      expect(got).toEqual(expected);
    } finally {
      await server.stop();
    }
  });
});

describe('A database that does not respond for seconds', () => {
  it('delays gatehouse migrate, but makes a starting instance try again', async () => {
    const server = inject('database').kind === 'mysql' ? await startMySql() : await startMariaDb();
    try {
      const { url } = await createDatabase(server.rootUrl);
      const environment = parseEnvironment({ ...SECRETS, DATABASE_URL: url });
      await migrate(environment);
      server.pause();
      const command = migrate(environment);
      const startup = migrate(environment, { isRetried: true });
      await expect(startup).rejects.toThrow('The database did not answer a new connection in time');
      server.resume();
      expect(await command).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

describe("Another program's tables with the same names", () => {
  it('make startup fail with instructions, and remain unchanged', async () => {
    const { url, env, drop } = await freshDeployment();
    const connection = await createConnection(url);
    await connection.query('CREATE TABLE player (uid INT PRIMARY KEY, pass CHAR(32))');
    const { process, kill } = await spawnGatehouse(env);
    expect(await process.exit).toBe(1);
    expect(process.output).toMatch(/^ {2}- The database has `player`.*RENAME TABLE `player` TO/m);
    expect(process.output).not.toMatch(NOT_FOR_PEOPLE);
    const [tables] = await connection.query('SHOW TABLES');
    expect(tables).toHaveLength(1);
    await kill();
    await connection.end();
    await drop();
  });
});

describe('A migration that breaks the previous release', () => {
  const name = 'ContractNames4102444800000';
  const drop = 'ALTER TABLE player DROP COLUMN browse, ALGORITHM=INPLACE, LOCK=NONE';
  const change = {
    mysql: [
      {
        sql: drop,
        done: `SELECT 1 FROM DUAL WHERE NOT EXISTS (${findColumn('player', 'browse')})`,
      },
    ],
    embedded: [],
  };

  it('runs only with --stop-the-world once there are players', async () => {
    const { url, drop: dropDatabase } = await freshDeployment();
    const connection = await createConnection(url);
    expect(await migrateLater(url).then(({ exit }) => exit)).toBe(0);
    await connection.query("INSERT INTO player (account, password) VALUES ('one', 'x')");
    const hasColumn = async () => {
      const [rows] = await connection.query("SHOW COLUMNS FROM player LIKE 'browse'");
      return (rows as unknown[]).length > 0;
    };
    const run = (...args: string[]) =>
      migrateLater(url, { name, change, args: ['migrate', ...args] });

    const check = await run('--check');
    expect(await check.exit).toBe(1);
    expect(check.output).toMatch(/player, about \d+ rows: may rewrite the table, while reads/);
    expect(check.output).toContain('Instances must be stopped, because the previous release');

    const refused = await run();
    expect(await refused.exit).toBe(1);
    expect(refused.output).toMatch(
      /ContractNames4102444800000 cannot run while instances are running, because the previous release may still use what this removes or renames: ALTER TABLE player DROP COLUMN browse/,
    );
    expect(await hasColumn()).toBe(true);

    const forced = await run('--stop-the-world');
    expect(await forced.exit).toBe(0);
    expect(await hasColumn()).toBe(false);
    await connection.end();
    await dropDatabase();
  });

  it('needs no confirmation before there are players', async () => {
    const { url, drop: dropDatabase } = await freshDeployment();
    const migration = await migrateLater(url, { name, change });
    expect(await migration.exit).toBe(0);
    expect(migration.output).not.toContain('cannot run');
    await dropDatabase();
  });

  it('keeps the previous release from starting afterwards, while other migrations do not', async () => {
    const { url, env, drop: dropDatabase } = await freshDeployment();
    expect(await migrateLater(url).then(({ exit }) => exit)).toBe(0);
    const service = await startGatehouse(env);
    expect(await service.stop()).toBe(0);
    expect(await migrateLater(url, { name, change }).then(({ exit }) => exit)).toBe(0);
    const { process, kill } = await spawnGatehouse(env);
    expect(await process.exit).toBe(1);
    expect(process.output).toContain(
      `A newer version of Gatehouse has changed this database (${name}), and nothing was changed now: start that version`,
    );
    await kill();
    await dropDatabase();
  });
});

describe('A migration that changes many rows', () => {
  const FILL = 'UPDATE player SET device = account WHERE device IS NULL AND id BETWEEN ? AND ?';
  const change = { mysql: [{ sql: FILL, along: 'player.id', survives: 'a test' }], embedded: [] };

  it('commits in batches, and resumes after an interruption', async () => {
    const { url, drop } = await freshDeployment();
    const environment = parseEnvironment({ ...SECRETS, DATABASE_URL: url });
    await migrate(environment);
    const connection = await createConnection(url);
    const values = Array.from({ length: 2500 }, (_, n) => [n * 7 + 1, `player${n}`, 'x']);
    await connection.query('INSERT INTO player (id, account, password) VALUES ?', [values]);
    const changed = async () => {
      const [rows] = await connection.query(
        'SELECT COUNT(*) AS n FROM player WHERE device = account',
      );
      return (rows as Array<{ n: number }>)[0]!.n;
    };
    let batches = 0;
    const isSecondBatch = (sql: string) =>
      sql.startsWith('UPDATE player SET device') && ++batches === 2;
    const cut = await withLaterMigration(
      () => ConnectionCut.during(isSecondBatch, () => migrate(environment)),
      change,
    );
    expect(cut.isOff).toBe(true);
    expect(await changed()).toBe(2000);
    await letTheClaimExpire(url);
    expect(await withLaterMigration(() => migrate(environment), change)).toEqual([LATER]);
    expect(await changed()).toBe(2500);
    await connection.end();
    await drop();
  });
});

/** Starts a command of a later version, by default `gatehouse migrate`. */
async function migrateLater(
  url: string,
  { name = LATER, change = LATER_CHANGE, args = [] as string[] } = {},
): Promise<ManagedProcess> {
  const program = inProject('test/support/migrations/migrate-later.mjs');
  return new ManagedProcess('node', [program, name, JSON.stringify(change), ...args], {
    env: { ...SECRETS, DATABASE_URL: url },
  });
}

/** Starts a process and returns it once it blocks in the middle of the migration. */
async function runUntilStuck(url: string) {
  await letTheClaimExpire(url);
  const dump = await beginDump(url);
  dump.on('error', () => undefined);
  const migration = await migrateLater(url);
  await migration.waitForLine(/is held by another connection/);
  return { migration, dump };
}

/** Expires the claim of a dead process. Otherwise the claim would last 30 s. */
async function letTheClaimExpire(url: string): Promise<void> {
  const connection = await createConnection(url);
  await connection.query("UPDATE migration_claim SET valid_until = '2000-01-01'");
  await connection.end();
}
