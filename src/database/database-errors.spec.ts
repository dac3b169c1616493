import { DataSource, EntityMetadataNotFoundError, QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import {
  isBeforeTheFirstConnection,
  isDatabaseNotThere,
  isDatabaseUnavailable,
  NoDatabaseConnection,
} from './database-errors.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('an error with the code of a network', () => {
  it('is the database’s where the database’s driver met it, or where nobody else can have', () => {
    expect(isDatabaseUnavailable(refused)).toBe(false);
    expect(isDatabaseUnavailable(new NoDatabaseConnection(refused))).toBe(true);
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], refused))).toBe(true);
    expect(isDatabaseNotThere(refused)).toBe(true);
  });
});

describe('an error without a name', () => {
  it('is MariaDB’s own limit for a statement by its number', () => {
    const stopped = Object.assign(new Error('max_statement_time exceeded'), { errno: 1969 });
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], stopped))).toBe(true);
  });
});

describe('an unknown entity', () => {
  it('is the absent database’s until it was there, and a mistake from then on', async () => {
    const { default: driver } = await import('libsql');
    const dataSource = new DataSource({ type: 'better-sqlite3', driver, database: ':memory:' });
    const error = new EntityMetadataNotFoundError('Nobody');
    expect(isBeforeTheFirstConnection(error, dataSource)).toBe(true);
    await dataSource.initialize();
    expect(isBeforeTheFirstConnection(error, dataSource)).toBe(false);
    await dataSource.destroy();
  });
});
