import { DataSource, QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import {
  isNotYetConnected,
  isConflict,
  isDatabaseUnreachable,
  isDatabaseUnavailable,
  NoDatabaseConnection,
} from './database-errors.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('A network error', () => {
  it('means that the database is unavailable if the driver reported it', () => {
    expect(isDatabaseUnavailable(refused)).toBe(false);
    expect(isDatabaseUnavailable(new NoDatabaseConnection(refused))).toBe(true);
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], refused))).toBe(true);
    expect(isDatabaseUnreachable(refused)).toBe(true);
  });
});

describe('An error without a code', () => {
  it('is recognised as a MariaDB statement timeout by its number', () => {
    const stopped = Object.assign(new Error('max_statement_time exceeded'), { errno: 1969 });
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], stopped))).toBe(true);
  });
});

describe('A server error', () => {
  it.each([1020, 1047, 1180, 1205, 1213, 1290, 1836, 1927, 3100, 3101, 4031])(
    '%i means that the database is unavailable',
    (errno) => {
      const failure = new QueryFailedError('UPDATE', [], Object.assign(new Error(), { errno }));
      expect(isDatabaseUnavailable(failure)).toBe(true);
    },
  );

  it.each([1020, 1205, 1213, 3101])('%i is a conflict and is retried', (errno) => {
    expect(isConflict(Object.assign(new Error(), { errno }))).toBe(true);
  });

  it('on COMMIT under group replication is a conflict', () => {
    const message = "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT";
    expect(isConflict(Object.assign(new Error(message), { errno: 1180 }))).toBe(true);
  });

  it.each([1047, 1062, 1180, 1290, 1836])('%i is not a conflict', (errno) => {
    expect(isConflict(Object.assign(new Error(), { errno }))).toBe(false);
  });
});

describe('A full disk', () => {
  it.each([{ errno: 3 }, { errno: 1021 }, { errno: 1114 }, { code: 'SQLITE_FULL' }])(
    'reported as %o means that the database is unavailable',
    (facts) => {
      const failure = new QueryFailedError('INSERT', [], Object.assign(new Error(), facts));
      expect(isDatabaseUnavailable(failure)).toBe(true);
      expect(isConflict(failure)).toBe(false);
    },
  );
});

describe('A lookup of an unknown entity', () => {
  it('means an unavailable database before the first connection, and a programming error afterwards', async () => {
    const { default: driver } = await import('libsql');
    const dataSource = new DataSource({ type: 'better-sqlite3', driver, database: ':memory:' });
    class Nobody {}
    const uses = [
      () => dataSource.manager.find(Nobody),
      () => dataSource.manager.insert(Nobody, {}),
      () => dataSource.createQueryBuilder(Nobody, 'nobody').getMany(),
    ];
    const errors = await Promise.all(uses.map(thrownBy));
    for (const error of errors) expect(isNotYetConnected(error, dataSource)).toBe(true);
    expect(isNotYetConnected(new TypeError('ours'), dataSource)).toBe(false);
    await dataSource.initialize();
    for (const error of errors) expect(isNotYetConnected(error, dataSource)).toBe(false);
    await dataSource.destroy();
  });
});

async function thrownBy(use: () => Promise<unknown>): Promise<unknown> {
  try {
    return await use();
  } catch (error) {
    return error;
  }
}
