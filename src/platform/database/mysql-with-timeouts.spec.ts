import { EventEmitter } from 'node:events';
import mysql, { type PoolConnection } from 'mysql2';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { log } from '../log/log.js';
import { MysqlWithTimeouts } from './mysql-with-timeouts.js';
import { DatabaseStatementTimeout } from './database-errors.js';
import { STATEMENT_TIMEOUT_MS } from './time-limits.js';

beforeAll(() => void (log.level = 'silent'));
afterAll(() => void (log.level = 'info'));

type Done = (error: Error | null, rows?: unknown) => void;

const SILENCE = Symbol('no answer');

/** A pool whose one connection is to a server that answers as told; gives the connection and what became of a request for it. */
async function acquire(answer: (sql: string) => unknown) {
  const send = (sql: string, done: Done) => {
    const rows = answer(sql);
    if (rows instanceof Error) done(rows);
    else if (rows !== SILENCE) done(null, rows);
  };
  const connection = Object.assign(new EventEmitter(), {
    destroy: vi.fn(),
    release: vi.fn(),
    query: send,
    execute: send,
  });
  const pool = Object.assign(new EventEmitter(), {
    config: {},
    end: vi.fn(),
    getConnection(done: (error: null, connection: unknown) => void) {
      pool.emit('connection', connection);
      done(null, connection);
    },
  });
  const create = vi.spyOn(mysql, 'createPool').mockReturnValueOnce(pool as never);
  const bounded = new MysqlWithTimeouts().createPool({});
  create.mockRestore();
  const outcome = await new Promise<Error | PoolConnection>((resolve) => {
    bounded.getConnection((error, given) => resolve(error ?? given));
  });
  return { connection, outcome };
}

/** A server that does not know statements with this word in them. */
const without = (word: string) => (sql: string) =>
  sql.includes(word) ? new Error(`unknown: ${word}`) : [{ backslash: '\\' }];

describe('A new connection', () => {
  it.each(['time_zone', 'sql_mode'])('is destroyed if %s cannot be set', async (word) => {
    const { connection, outcome } = await acquire(without(word));
    expect(outcome).toMatchObject({ message: `unknown: ${word}` });
    expect(connection.destroy).toHaveBeenCalled();
  });

  it('is destroyed if backslashes do not escape', async () => {
    const { connection, outcome } = await acquire(() => [{ backslash: '\\\\' }]);
    expect(outcome).toMatchObject({ message: expect.stringContaining('NO_BACKSLASH_ESCAPES') });
    expect(connection.destroy).toHaveBeenCalled();
  });

  it.each(['max_statement_time', 'max_execution_time', 'wsrep', 'group_replication'])(
    'is used if the server does not know %s',
    async (word) => {
      const { connection, outcome } = await acquire(without(word));
      expect(outcome).toBe(connection);
      expect(connection.destroy).not.toHaveBeenCalled();
    },
  );
});

describe.each(['query', 'execute'] as const)('A statement sent with %s', (way) => {
  it('times out without an answer, and its connection is destroyed', async () => {
    const { connection } = await acquire((sql) =>
      sql === 'UPDATE player' ? SILENCE : [{ backslash: '\\' }],
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'clearTimeout'] });
    const failed = new Promise((resolve) => {
      (connection as unknown as PoolConnection)[way]('UPDATE player', resolve);
    });
    await vi.advanceTimersByTimeAsync(STATEMENT_TIMEOUT_MS + 1);
    vi.useRealTimers();
    expect(await failed).toBeInstanceOf(DatabaseStatementTimeout);
    expect(connection.destroy).toHaveBeenCalled();
  });
});

const refusal = (errno: number) => Object.assign(new Error(`error ${errno}`), { errno });

/** A connection in use, on which one statement then fails. */
async function afterFailing(statement: string, errno: number) {
  const { connection } = await acquire((sql) =>
    sql === statement ? refusal(errno) : [{ backslash: '\\' }],
  );
  const failed = await new Promise((resolve) => {
    (connection as unknown as PoolConnection).query(statement, resolve);
  });
  expect(failed).toMatchObject({ errno });
  return connection;
}

describe('After an error, a connection', () => {
  it.each([
    ['COMMIT', 1213],
    ['COMMIT', 1047],
    ['ROLLBACK', 1047],
    ['rollback', 2013],
  ])(
    'is destroyed if %s failed (%i), since the transaction may be open',
    async (statement, errno) => {
      expect((await afterFailing(statement, errno)).destroy).toHaveBeenCalled();
    },
  );

  it.each([1047, 1180, 1290, 1836, 3100, 3101])(
    'is destroyed if the server rejects writes (%i)',
    async (errno) => {
      expect((await afterFailing('UPDATE player', errno)).destroy).toHaveBeenCalled();
    },
  );

  it.each([1062, 1205, 1213])('is reused after error %i of a single statement', async (errno) => {
    expect((await afterFailing('UPDATE player', errno)).destroy).not.toHaveBeenCalled();
  });
});
