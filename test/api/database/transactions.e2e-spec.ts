import Libsql from 'libsql';
import { createConnection } from 'mysql2/promise';
import type { DataSource, EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Promoter } from '../../../src/features/accounts/registration.service.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { DatabaseChecks } from '../../../src/operators/cli/check/database-checks.js';
import { AccountDatabase } from '../../../src/platform/database/account-database.js';
import { DatabaseClock } from '../../../src/platform/database/database-clock.js';
import { isDatabaseUnavailable } from '../../../src/platform/database/database-errors.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { captureLog } from '../../support/api/captured-log.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { until } from '../../support/until.js';

let service: TestApp;
let database: DataSource;

beforeAll(async () => {
  service = await startApp();
  database = service.database;
});
afterAll(() => service.stop());

describe('A database connection', () => {
  it('uses UTC, a strict sql_mode and limits on idle time and lock waits', async () => {
    if (inject('database').kind === 'embedded') {
      expect(await database.query('PRAGMA busy_timeout')).toEqual([{ timeout: 20 }]);
      return;
    }
    const [session] = await database.query(
      `SELECT @@time_zone AS server, @@sql_mode AS mode, @@wait_timeout AS silence,
        @@innodb_lock_wait_timeout AS patience`,
    );
    const [{ version }] = await database.query('SELECT VERSION() AS version');
    expect(version.includes('MariaDB')).toBe(inject('database').kind === 'mariadb');
    expect(session).toEqual({
      server: '+00:00',
      mode: 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      silence: '60',
      patience: '3',
    });
  });
});

/** Holds a lock, as an operator's SQL client may. */
async function lockFromOutside(): Promise<() => Promise<void>> {
  const { DATABASE_URL } = service.app.get(Environment);
  if (DATABASE_URL === undefined) {
    const client = new Libsql(database.options.database as string);
    client.exec('BEGIN IMMEDIATE');
    return async () => void client.close();
  }
  const client = await createConnection(DATABASE_URL);
  await client.query('LOCK TABLES agent WRITE');
  return () => client.end();
}

describe('A transaction', () => {
  const rows = () => database.getRepository(Promoter).count();

  it('commits or rolls back as a whole alongside other transactions and single statements', async () => {
    await database.getRepository(Promoter).clear();
    const work = Array.from({ length: 30 }, async (_, index) => {
      if (index % 3 === 2)
        return database.getRepository(Promoter).insert({ name: unique('single') });
      const outcome = inTransaction(database, async (manager) => {
        await manager.insert(Promoter, { name: unique('first') });
        await manager.query('SELECT 1');
        await manager.insert(Promoter, { name: unique('second') });
        if (index % 3 === 1) throw new Error('rolled back');
      });
      return outcome.catch((error: Error) => expect(error.message).toBe('rolled back'));
    });
    await Promise.all(work);
    // The rows come from 10 committed transactions with two rows each and 10 single statements.
    expect(await rows()).toBe(30);
  });

  it('keeps its own changes when a nested transaction rolls back', async () => {
    await database.getRepository(Promoter).clear();
    await database.transaction(async (outer) => {
      await outer.insert(Promoter, { name: 'outer' });
      const inner = outer.transaction(async (manager) => {
        await manager.insert(Promoter, { name: 'inner' });
        throw new Error('inner');
      });
      await expect(inner).rejects.toThrow('inner');
    });
    expect(await database.getRepository(Promoter).find()).toMatchObject([{ name: 'outer' }]);
  });

  it('does not block the next one if it fails or is abandoned', async () => {
    await expect(database.transaction((manager) => manager.query('nonsense'))).rejects.toThrow();
    await expect(
      database.transaction((manager) => manager.query('SELECT 1')),
    ).resolves.toBeDefined();
    const abandoned = database.createQueryRunner();
    await abandoned.startTransaction();
    await abandoned.release();
    await expect(database.query('SELECT 1')).resolves.toBeDefined();
  });

  it('does not block the next one if it meets a lock or the database ends it', async () => {
    const insert = (manager: EntityManager) => manager.insert(Promoter, { name: unique('after') });
    const unlock = await lockFromOutside();
    const waiting = Promise.all([
      database.transaction(insert).catch(isDatabaseUnavailable),
      ...Array.from({ length: 5 }, () => insert(database.manager).catch(isDatabaseUnavailable)),
    ]);
    // A request that needs no lock succeeds meanwhile.
    const first = await Promise.race([waiting, service.client.get('/api/health/live')]);
    const refused = await waiting;
    await unlock();
    expect(first).toMatchObject({ status: 200 });
    expect(refused).toEqual(Array(6).fill(true));
    await database.transaction(insert);
    const ended = database.transaction(async (manager) => {
      await manager.query('ROLLBACK');
      throw new Error('as after a full disk');
    });
    await expect(ended).rejects.toThrow('as after a full disk');
    await database.transaction(insert);
    await insert(database.manager);
  });

  it('is retried after a deadlock', async () => {
    const agents = database.getRepository(Promoter);
    const [one, two] = await agents.save([{ name: 'one' }, { name: 'two' }]);
    const rename = (first: Promoter, second: Promoter) =>
      inTransaction(database, async (manager) => {
        await manager.update(Promoter, first.id, { name: unique('renamed') });
        await manager.update(Promoter, second.id, { name: unique('renamed') });
      });
    await Promise.all(
      Array.from({ length: 6 }, (_, turn) => (turn % 2 ? rename(one!, two!) : rename(two!, one!))),
    );
  });
});

describe('A database server that may lose commits in a crash', () => {
  it('is reported in the log, the metrics and gatehouse check until its settings are corrected', async () => {
    const given = inject('database');
    if (given.kind === 'embedded') return;
    const root = await createConnection(given.rootUrl);
    const [rows] = await root.query('SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS usual');
    const [{ usual }] = rows as [{ usual: number }];
    const set = (value: number) =>
      root.query('SET GLOBAL innodb_flush_log_at_trx_commit = ?', [value]);
    await set(0);
    const captured = captureLog();
    try {
      const another = await startApp({ env: { LOG_LEVEL: 'warn' } });
      const { app, client } = another;
      const measured = async (risk: number) =>
        (await client.get('/api/metrics')).text.includes(
          `\ngatehouse_database_risky_durability ${risk}\n`,
        );
      const checks = new DatabaseChecks(
        another.database,
        app.get(AccountDatabase),
        app.get(DatabaseClock),
      );
      const durability = async () => (await checks.run())[1];
      await until(() => measured(1));
      expect(captured.text).toContain('RiskyDurability: ');
      expect(captured.text).toContain('innodb_flush_log_at_trx_commit is 0');
      expect(await durability()).toMatchObject({
        what: 'RiskyDurability',
        state: 'note',
        text: expect.stringContaining('innodb_flush_log_at_trx_commit is 0, but should be 1'),
      });
      await set(1);
      expect(await durability()).toMatchObject({ what: 'durability', state: 'good' });
      await withClockAhead(61, () => until(() => measured(0)));
      await another.stop();
    } finally {
      captured.release();
      await set(usual);
      await root.end();
    }
  });
});
