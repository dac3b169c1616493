import Libsql from 'libsql';
import { createConnection } from 'mysql2/promise';
import type { DataSource, EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Promoter } from '../../../src/features/accounts/promoter.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { isDatabaseUnavailable } from '../../../src/platform/database/database-errors.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';

let service: TestApp;
let database: DataSource;

beforeAll(async () => {
  service = await startApp();
  database = service.database;
});
afterAll(() => service.stop());

describe('a database connection', () => {
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

/** Holds a lock as an SQL client of an operator may. */
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

describe('a transaction', () => {
  const rows = () => database.getRepository(Promoter).count();

  it('commits or rolls back as a whole, beside others and single statements', async () => {
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
    // 10 committed with two rows each, 10 rolled back, 10 single rows.
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

  it('that fails or is abandoned does not block the next one', async () => {
    await expect(database.transaction((manager) => manager.query('nonsense'))).rejects.toThrow();
    await expect(
      database.transaction((manager) => manager.query('SELECT 1')),
    ).resolves.toBeDefined();
    const abandoned = database.createQueryRunner();
    await abandoned.startTransaction();
    await abandoned.release();
    await expect(database.query('SELECT 1')).resolves.toBeDefined();
  });

  it('that meets a lock or was ended by the database does not block the next one', async () => {
    const insert = (manager: EntityManager) => manager.insert(Promoter, { name: unique('after') });
    const unlock = await lockFromOutside();
    const waiting = Promise.all([
      database.transaction(insert).catch(isDatabaseUnavailable),
      ...Array.from({ length: 5 }, () => insert(database.manager).catch(isDatabaseUnavailable)),
    ]);
    // A request that needs no lock is answered meanwhile.
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
