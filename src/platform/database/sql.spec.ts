import type { EntityManager } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { DatabaseStatementTimeout, isDatabaseUnavailable } from './database-errors.js';
import { runStatement, runUnlessLocked, selectRows, sqlTime } from './sql.js';

describe('A statement that bypasses TypeORM', () => {
  const lost = Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' });
  const failures = [lost, new DatabaseStatementTimeout()];
  it.each(Object.entries({ runStatement, runUnlessLocked, selectRows }))(
    'through %s reports an unavailable database if the server does not respond',
    async (_, run) => {
      for (const failure of failures) {
        const fail = () => Promise.reject(failure);
        const driver = { session: () => ({ run: fail, runUnlessLocked: fail }) };
        const dataSource = { options: { type: 'mariadb', driver } };
        const error = await run({ dataSource } as unknown as EntityManager, 'INSERT', []).catch(
          (thrown: unknown) => thrown,
        );
        expect(isDatabaseUnavailable(error)).toBe(true);
      }
    },
  );
});

describe('A time literal in SQL', () => {
  it.each([
    ['2026-11-16T06:07:08.009Z', '2026-11-16 06:07:08.009'],
    // The cache already holds this second.
    ['2026-11-16T06:07:08.999Z', '2026-11-16 06:07:08.999'],
    ['2026-11-16T06:07:09.000Z', '2026-11-16 06:07:09.000'],
    ['1969-12-31T23:59:59.001Z', '1969-12-31 23:59:59.001'],
    ['1970-01-01T00:00:00.000Z', '1970-01-01 00:00:00.000'],
  ])('for %s is %s', (time, text) => {
    expect(sqlTime(new Date(time))).toBe(text);
    expect(sqlTime(Date.parse(time))).toBe(text);
  });

  it('has no fraction of a millisecond', () => {
    expect(sqlTime(1.9)).toBe('1970-01-01 00:00:00.001');
    expect(sqlTime(-1.9)).toBe('1969-12-31 23:59:59.999');
  });

  it('is rejected for an invalid time', () => {
    expect(() => sqlTime(new Date(Number.NaN))).toThrow(RangeError);
  });
});
