import { EventEmitter } from 'node:events';
import mysql from 'mysql2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Environment } from '../../../platform/config/environment.js';
import type { Settings } from '../../../platform/config/settings.js';
import { accountDatabaseQueue } from '../../../platform/database/batcher.js';
import { DatabaseWaitTimeout } from '../../../platform/database/database-errors.js';
import type { WithdrawalServer } from './withdrawal-servers.js';
import { GameDatabasePools } from './game-database-pools.js';

const server = { id: 1, dbHost: null, dbPort: null } as WithdrawalServer;

type Done = (error: Error | null, rows?: unknown[]) => void;

/** How the database server answers a query. */
let answer: (sql: string, done: Done) => void;
let statements: string[];
let pools: GameDatabasePools;

beforeEach(() => {
  statements = [];
  vi.spyOn(mysql, 'createPool').mockReturnValue(fakePool() as never);
  pools = new GameDatabasePools(
    { gameDatabase: { hosts: [{ host: '127.0.0.1', port: 1 }] } } as unknown as Environment,
    { current: { game_database: { pattern: 'server_{server_id}' } } } as Settings,
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  pools.onApplicationShutdown();
});

/** Of the driver, below the limits of time: connections to a server that answers as told. */
function fakePool() {
  const pool = Object.assign(new EventEmitter(), {
    config: {},
    getConnection(done: (error: null, connection: unknown) => void) {
      const connection = {
        query: answerQuery,
        execute: answerQuery,
        release: vi.fn(),
        destroy: vi.fn(),
      };
      pool.emit('connection', connection);
      done(null, connection);
    },
    end: (done: () => void) => done(),
  });
  return pool;
}

function answerQuery(sql: string, ...rest: unknown[]): void {
  const done = rest.at(-1) as Done;
  if (!sql.includes('FROM roles')) return done(null, [{ backslash: '\\' }]);
  statements.push(sql);
  return answer(sql, done);
}

const readRole = (id: number) =>
  pools.readBatched(server, { select: 'id FROM roles WHERE id = ?', values: [id] });
const readRoles = (count: number) =>
  Promise.allSettled(Array.from({ length: count }, (_, id) => readRole(id)));
const statusesOf = (outcomes: Array<PromiseSettledResult<unknown>>) =>
  outcomes.map(({ status }) => status);
const sizeOf = (sql: string) => sql.split('UNION ALL').length;
const failure = (facts: object) => Object.assign(new Error('as told'), facts);

/** Nobody can compare the name. */
const MIXED_COLLATIONS = failure({ errno: 1267 });

describe('Lookups in a game database', () => {
  it.each([
    ['MariaDB', { errno: 1969 }],
    ['MySQL', { code: 'ER_QUERY_TIMEOUT' }],
  ])(
    'run one at a time for a minute after a batch exceeded the time limit of %s, and for longer after the next',
    async (_, tooLong) => {
      vi.useFakeTimers({ toFake: ['performance'] });
      answer = (sql, done) =>
        sizeOf(sql) > 1 ? done(failure(tooLong)) : done(null, [{ place: 0 }]);
      expect(statusesOf(await readRoles(2))).toEqual(['rejected', 'rejected']);
      expect(statusesOf(await readRoles(2))).toEqual(['fulfilled', 'fulfilled']);
      vi.advanceTimersByTime(60_000);
      await readRoles(2);
      vi.advanceTimersByTime(60_000);
      await readRoles(2);
      vi.advanceTimersByTime(60_000);
      await readRoles(2);
      expect(statements.map(sizeOf)).toEqual([2, 1, 1, 2, 1, 1, 2]);
    },
  );

  it('stay batched after a single lookup exceeded the time limit', async () => {
    answer = (_, done) => done(failure({ errno: 1969 }));
    expect(statusesOf(await readRoles(1))).toEqual(['rejected']);
    answer = (_, done) => done(null, []);
    expect(statusesOf(await readRoles(2))).toEqual(['fulfilled', 'fulfilled']);
    expect(statements.map(sizeOf)).toEqual([1, 2]);
  });

  it('fail with their connection without marking the account database as down', async () => {
    const counted: number[] = [];
    answer = (_, done) => {
      counted.push(accountDatabaseQueue.waiting);
      setImmediate(done, failure({ code: 'ECONNRESET' }));
    };
    expect(new Set(statusesOf(await readRoles(40)))).toEqual(new Set(['rejected']));
    expect(statements.map(sizeOf)).toEqual([16, 16]);
    expect(counted).toEqual([0, 0]);
  });

  it('fail after five seconds of waiting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const asked: Done[] = [];
    answer = (_, done) => void asked.push(done);
    const outcomes = readRoles(2);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    vi.advanceTimersByTime(2900);
    asked.pop()!(MIXED_COLLATIONS);
    // Now each alone.
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    vi.advanceTimersByTime(2101);
    const late = { status: 'rejected', reason: expect.any(DatabaseWaitTimeout) };
    expect(await outcomes).toEqual([late, late]);
  });
});
