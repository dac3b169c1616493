import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { log } from '../log/log.js';
import { boundedMysql } from './bounded-mysql.js';

beforeAll(() => void (log.level = 'silent'));
afterAll(() => void (log.level = 'info'));

/** A connection to a server that does not know statements with this word in them. */
function connectionWithout(word: string) {
  const destroy = vi.fn();
  const query = (sql: string, done: (error: Error | null) => void) =>
    done(sql.includes(word) ? new Error(`unknown: ${word}`) : null);
  return Object.assign(new EventEmitter(), { query, destroy });
}

function wasDropped(word: string): boolean {
  const pool = boundedMysql.createPool({});
  const connection = connectionWithout(word);
  pool.emit('connection', connection);
  pool.end(() => undefined);
  return connection.destroy.mock.calls.length > 0;
}

describe('a connection', () => {
  it('is not used where it cannot be given UTC and strict mode', () => {
    expect(wasDropped('time_zone')).toBe(true);
  });

  it('is used where only one of the two ways to limit a statement is known', () => {
    expect(wasDropped('max_statement_time')).toBe(false);
    expect(wasDropped('max_execution_time')).toBe(false);
  });
});
