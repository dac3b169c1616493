import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import mysql, { type Connection } from 'mysql2';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../../../test/support/until.js';
import { log } from '../log/log.js';
import { DatabaseStatementTimeout, isConflict, NoDatabaseConnection } from './database-errors.js';
import { MysqlSession } from './mysql-driver.js';
import { MysqlPool, type PoolSettings } from './mysql-pool.js';

// In its role as a server, mysql2 logs warnings about the sequence numbers of its own packets.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue());
afterAll(() => void vi.restoreAllMocks());

const cleanUps: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Holds an error number, or undefined for success. */
type Answer = number | undefined;

interface Server {
  port: number;
  /** Lists the received statements, each with the number of its connection. */
  statements: Array<[number, string]>;
  answer: (sql: string) => Answer | Promise<Answer>;
  disconnect: () => void;
}

const PREPARATION = 'SELECT @@prepare';
const never = new Promise<never>(() => undefined);

function deferred() {
  let resolve!: (value: undefined) => void;
  const promise = new Promise<undefined>((done) => (resolve = done));
  return { promise, resolve };
}

/** Starts a server that speaks MySQL's protocol through mysql2. */
async function startServer(answer: Server['answer'] = () => undefined): Promise<Server> {
  const sockets: Socket[] = [];
  const disconnect = () => sockets.forEach((socket) => socket.destroy());
  const server: Server = { port: 0, statements: [], answer, disconnect };
  const listener = createServer((stream) => {
    const id = sockets.push(stream);
    const connection = mysql.createConnection({ stream, isServer: true });
    connection.on('error', () => undefined);
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: '8.0.0',
      connectionId: id,
      statusFlags: 2,
      characterSet: 8,
      capabilityFlags: 0xffffff,
    });
    const respond = async (sql: string) => {
      if (sql !== PREPARATION) server.statements.push([id, sql]);
      const code = await (sql === PREPARATION ? undefined : server.answer(sql));
      if (code === undefined) connection.writeOk();
      else connection.writeError({ code, message: `error ${code}` });
    };
    connection.on('query', (sql: string) => void respond(sql));
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  server.port = (listener.address() as AddressInfo).port;
  cleanUps.push(() => {
    listener.close();
    disconnect();
  });
  return server;
}

function createPool(
  { port }: Pick<Server, 'port'>,
  settings: Partial<PoolSettings> = {},
): MysqlPool {
  const options = { host: '127.0.0.1', port, user: 'u', password: '', database: 'd' };
  const prepare = (connection: Connection) =>
    new Promise<void>((resolve, reject) => {
      connection.query(PREPARATION, (error) => (error ? reject(error) : resolve()));
    });
  return new MysqlPool(options, { connections: 3, writes: 2, locks: 1, prepare, ...settings });
}

const run = (pool: MysqlPool, sql: string) =>
  pool.use('read', (connection) => connection.run(sql)).catch((error: Error) => error);

/** Sends the statement and then another one. Returns whether both used the same connection. */
async function isReusedAfter(sql: string, answer: Server['answer'], timeoutMs?: number) {
  const server = await startServer((sent) => (sent === sql ? answer(sent) : undefined));
  const pool = createPool(server, { statementTimeoutMs: timeoutMs });
  const failure = await run(pool, sql);
  await run(pool, 'next');
  const [[first], [second]] = server.statements as [[number, string], [number, string]];
  return { failure, isReused: first === second };
}

describe('A pooled connection', () => {
  it.each([1062, 1205, 1213])('is reused after a statement fails with error %i', async (code) => {
    const { failure, isReused } = await isReusedAfter('UPDATE', () => code);
    expect(failure).toMatchObject({ errno: code });
    expect(isReused).toBe(true);
  });

  it.each([1047, 1180, 1290, 1836, 3100, 3101])(
    'is not reused after error %i, which means that the server rejects writes',
    async (code) => {
      expect(await isReusedAfter('UPDATE', () => code)).toMatchObject({ isReused: false });
    },
  );

  it("to a server that does not respond fails with the service's own error", async () => {
    const silent = createServer(() => undefined);
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    cleanUps.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const failure = await run(createPool({ port }), 'SELECT 1');
    expect((failure as Error).message).toContain('did not answer');
  });

  it.each(['COMMIT', 'rollback'])('is not reused after a failed %s', async (sql) => {
    expect(await isReusedAfter(sql, () => 1213)).toMatchObject({ isReused: false });
  });

  it('is not reused after a statement that timed out', async () => {
    const { failure, isReused } = await isReusedAfter('UPDATE', () => never, 1000);
    expect(failure).toBeInstanceOf(DatabaseStatementTimeout);
    expect(isReused).toBe(false);
  });

  it('is not used if preparing its session fails', async () => {
    const server = await startServer();
    const prepare = () => Promise.reject(new Error('no such sql_mode'));
    const failure = await run(createPool(server, { prepare }), 'SELECT');
    expect(failure).toBeInstanceOf(NoDatabaseConnection);
    expect(server.statements).toEqual([]);
  });

  it('is replaced after the server closes it', async () => {
    const server = await startServer();
    const pool = createPool(server);
    await run(pool, 'first');
    server.disconnect();
    // Statements fail until the pool has noticed the disconnection.
    await until(async () => !((await run(pool, 'second')) instanceof Error));
    expect(server.statements).toEqual([
      [1, 'first'],
      [2, 'second'],
    ]);
  });
});

describe('MysqlSession.runUnlessLocked', () => {
  it('interrupts a statement that waits for a locked row', async () => {
    let interrupt!: (errno: number) => void;
    const locked = new Promise<number>((resolve) => (interrupt = resolve));
    const server = await startServer((sql) => {
      if (sql === 'INSERT INTO t') return locked;
      interrupt(1317);
      return undefined;
    });
    const session = new MysqlSession(createPool(server));
    expect(await session.runUnlessLocked('INSERT INTO t', [])).toBe(false);
    expect(server.statements).toEqual([
      [1, 'INSERT INTO t'],
      [2, 'KILL QUERY 1'],
    ]);
  });

  it('does not reuse a connection whose next statement a late KILL QUERY could hit', async () => {
    const slow = deferred();
    const server = await startServer((sql) => {
      if (sql === 'INSERT INTO t') return slow.promise;
      if (sql.startsWith('KILL')) slow.resolve(undefined);
      return sql.startsWith('KILL') ? never : undefined;
    });
    const session = new MysqlSession(createPool(server));
    expect(await session.runUnlessLocked('INSERT INTO t', [])).toBe(true);
    await session.run('UPDATE t');
    expect(server.statements.map(([id]) => id)).toEqual([1, 2, 3]);
  });

  it('runs a statement that does not have to wait', async () => {
    const server = await startServer();
    const session = new MysqlSession(createPool(server));
    expect(await session.runUnlessLocked('INSERT INTO t', [])).toBe(true);
    expect(server.statements).toEqual([[1, 'INSERT INTO t']]);
  });
});

describe('MysqlPool', () => {
  it('lets inserts and reads through while all permitted statements wait for locks', async () => {
    const server = await startServer((sql) => (sql === 'UPDATE' ? never : undefined));
    const pool = createPool(server, { connections: 3, writes: 2, locks: 1 });
    const session = () => new MysqlSession(pool);
    for (let n = 0; n < 3; n++)
      void session()
        .run('UPDATE')
        .catch(() => undefined);
    await session().run('INSERT INTO t');
    await session().run('SELECT 1');
  });

  it('lets reads through while all permitted writes wait', async () => {
    const server = await startServer((sql) => (sql === 'SELECT 1' ? undefined : never));
    const pool = createPool(server, { connections: 3, writes: 2, locks: 1 });
    const session = () => new MysqlSession(pool);
    for (const sql of ['UPDATE', 'INSERT INTO t', 'INSERT INTO t'])
      void session()
        .run(sql)
        .catch(() => undefined);
    await session().run('SELECT 1');
  });

  it('opens spare connections while writes wait for locked rows, and closes them afterwards', async () => {
    const unlock = deferred();
    const server = await startServer((sql) => (sql === 'locked' ? unlock.promise : undefined));
    const pool = createPool(server, { connections: 2, writes: 1, locks: 1, spare: 2 });
    const write = (sql: string) => pool.use('lock', (connection) => connection.run(sql));
    const waiting = [write('locked'), write('locked')];
    await write('free');
    expect(pool.counts).toMatchObject({ used: 2 });
    unlock.resolve(undefined);
    await Promise.all(waiting);
    await until(() => pool.counts.used + pool.counts.free === 2);
  });

  it('opens no more spare connections than its settings allow', async () => {
    const server = await startServer((sql) => (sql === 'locked' ? never : undefined));
    const pool = createPool(server, { connections: 2, writes: 1, locks: 1, spare: 1 });
    const write = (sql: string) => pool.use('lock', (connection) => connection.run(sql));
    for (const sql of ['locked', 'locked']) void write(sql).catch(() => undefined);
    await expect(write('free')).rejects.toMatchObject({ code: 'DATABASE_WAIT_TIMEOUT' });
  });

  it('rejects writes immediately, but not reads, while a reason to reject writes is set', async () => {
    const server = await startServer();
    const pool = createPool(server, { writeProblem: () => 'two primaries' });
    const session = () => new MysqlSession(pool);
    for (const sql of ['INSERT INTO t', 'UPDATE', 'START TRANSACTION'])
      await expect(session().run(sql)).rejects.toThrow(
        new NoDatabaseConnection(new Error('two primaries')),
      );
    await session().run('SELECT 1');
    expect(server.statements).toEqual([[1, 'SELECT 1']]);
  });

  it('serves a waiting write when another write ends', async () => {
    const unlock = deferred();
    const server = await startServer((sql) => (sql === 'first' ? unlock.promise : undefined));
    const pool = createPool(server, { writes: 1 });
    const write = (sql: string) => pool.use('lock', (connection) => connection.run(sql));
    const both = Promise.all([write('first'), write('second')]);
    await until(() => server.statements.length === 1);
    unlock.resolve(undefined);
    await both;
    expect(server.statements).toEqual([
      [1, 'first'],
      [1, 'second'],
    ]);
  });

  it('rejects a request that waited two seconds for a connection', async () => {
    const server = await startServer(() => never);
    const pool = createPool(server, { connections: 1 });
    void run(pool, 'SELECT');
    expect(await run(pool, 'SELECT')).toMatchObject({ code: 'DATABASE_WAIT_TIMEOUT' });
  });

  it('waits longer than two seconds if its settings allow it', async () => {
    const running = deferred();
    const server = await startServer((sql) => (sql === 'long' ? running.promise : undefined));
    const settings = { connections: 1, writes: 1, locks: 1 };
    const patient = createPool(server, { ...settings, connectionTimeoutMs: 60_000 });
    const busy = run(patient, 'long');
    const waiting = run(patient, 'next');
    // This pool was created later, and gives up first only because the other one waits longer than two seconds.
    const usual = createPool(server, settings);
    void run(usual, 'long');
    expect(await run(usual, 'next')).toBeInstanceOf(Error);
    running.resolve(undefined);
    await busy;
    expect(await waiting).not.toBeInstanceOf(Error);
  });

  it('uses a new host for the next statement and drops connections to the old host', async () => {
    const unlock = deferred();
    const old = await startServer(() => unlock.promise);
    const next = await startServer();
    const pool = createPool(old, { connections: 1 });
    const running = run(pool, 'SELECT');
    await until(() => old.statements.length === 1);
    pool.switchTo({ host: '127.0.0.1', port: next.port });
    await run(pool, 'SELECT');
    unlock.resolve(undefined);
    await running;
    await run(pool, 'SELECT');
    expect(old.statements).toHaveLength(1);
    expect(next.statements).toHaveLength(2);
  });

  it('finishes running statements before it ends, and accepts no new ones', async () => {
    const unlock = deferred();
    const server = await startServer(() => unlock.promise);
    const pool = createPool(server);
    const running = run(pool, 'UPDATE');
    await until(() => server.statements.length === 1);
    const ended = pool.end();
    expect(await run(pool, 'SELECT')).toBeInstanceOf(NoDatabaseConnection);
    unlock.resolve(undefined);
    expect(await running).not.toBeInstanceOf(Error);
    await ended;
  });

  it('ends even if the server no longer responds', async () => {
    const warned = vi.spyOn(log, 'warn').mockReturnValue();
    const pool = createPool(await startServer(() => never));
    void run(pool, 'UPDATE');
    await until(() => pool.counts.used === 1);
    await pool.end();
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });
});

describe('MysqlSession', () => {
  const withConflicts = (count: number) => (sql: string) =>
    sql === 'UPDATE' && count-- > 0 ? 1213 : undefined;

  it('repeats a single statement after a conflict', async () => {
    const server = await startServer(withConflicts(2));
    await new MysqlSession(createPool(server)).run('UPDATE');
    expect(server.statements).toHaveLength(3);
  });

  it('does not repeat a statement within a transaction', async () => {
    const server = await startServer(withConflicts(1));
    const session = new MysqlSession(createPool(server));
    await session.run('START TRANSACTION');
    await expect(session.run('UPDATE')).rejects.toMatchObject({ errno: 1213 });
    await session.run('ROLLBACK');
    await session.run('UPDATE');
  });

  it('does not report an interrupted COMMIT as a conflict, because it may have taken effect', async () => {
    const server = await startServer((sql) => (sql === 'COMMIT' ? 1317 : undefined));
    const session = new MysqlSession(createPool(server));
    await session.run('START TRANSACTION');
    const failure = await session.run('COMMIT').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseStatementTimeout);
    expect(isConflict(failure)).toBe(false);
  });

  it('keeps one connection for a whole transaction', async () => {
    const server = await startServer();
    const pool = createPool(server, { writes: 2 });
    const [session, other] = [new MysqlSession(pool), new MysqlSession(pool)];
    await session.run('START TRANSACTION');
    await other.run('SELECT 1');
    await session.run('SELECT 2');
    await session.run('COMMIT');
    expect(pool.counts).toMatchObject({ used: 0, free: 2 });
    const connections = server.statements.map(([id]) => id);
    expect(connections).toEqual([1, 2, 1, 1]);
  });

  it('does not wait for a connection to roll back a transaction that never got one', async () => {
    const server = await startServer();
    const pool = createPool(server, { writes: 0 });
    const session = new MysqlSession(pool);
    await expect(session.run('START TRANSACTION')).rejects.toThrow();
    await session.run('ROLLBACK');
    expect(pool.counts.waiting).toBe(0);
    expect(server.statements).toEqual([]);
  });

  it('destroys a connection that is released during a transaction', async () => {
    const pool = createPool(await startServer());
    const session = new MysqlSession(pool);
    await session.run('START TRANSACTION');
    session.release();
    expect(pool.counts).toEqual({ used: 0, free: 0, waiting: 0 });
  });
});
