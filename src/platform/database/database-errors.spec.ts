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

describe('an error with the code of a network', () => {
  it('is the database’s where the database’s driver met it, or where nobody else can have', () => {
    expect(isDatabaseUnavailable(refused)).toBe(false);
    expect(isDatabaseUnavailable(new NoDatabaseConnection(refused))).toBe(true);
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], refused))).toBe(true);
    expect(isDatabaseUnreachable(refused)).toBe(true);
  });
});

describe('an error without a name', () => {
  it('is MariaDB’s own limit for a statement by its number', () => {
    const stopped = Object.assign(new Error('max_statement_time exceeded'), { errno: 1969 });
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], stopped))).toBe(true);
  });
});

describe('an error by which the server says that another was first, or that it takes no writes', () => {
  it.each([1020, 1047, 1180, 1205, 1213, 1290, 1836, 1927, 3100, 3101, 4031])(
    'is told as the database’s: %i',
    (errno) => {
      const failure = new QueryFailedError('UPDATE', [], Object.assign(new Error(), { errno }));
      expect(isDatabaseUnavailable(failure)).toBe(true);
    },
  );

  it.each([1020, 1205, 1213, 3101])('is a conflict, to be tried again: %i', (errno) => {
    expect(isConflict(Object.assign(new Error(), { errno }))).toBe(true);
  });

  it('is a conflict, where COMMIT lost against another member of the group', () => {
    const message = "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT";
    expect(isConflict(Object.assign(new Error(message), { errno: 1180 }))).toBe(true);
  });

  it.each([1047, 1062, 1180, 1290, 1836])('is none: %i', (errno) => {
    expect(isConflict(Object.assign(new Error(), { errno }))).toBe(false);
  });
});

describe('an error of a full disk', () => {
  it.each([{ errno: 3 }, { errno: 1021 }, { errno: 1114 }, { code: 'SQLITE_FULL' }])(
    'is told as the database’s: %o',
    (facts) => {
      const failure = new QueryFailedError('INSERT', [], Object.assign(new Error(), facts));
      expect(isDatabaseUnavailable(failure)).toBe(true);
      expect(isConflict(failure)).toBe(false);
    },
  );
});

describe('an unknown entity', () => {
  it('is the absent database’s until it was there, and a mistake from then on', async () => {
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
