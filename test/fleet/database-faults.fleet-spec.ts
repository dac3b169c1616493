import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { SECRETS } from '../support/accounts.js';
import {
  type Gatehouse,
  inProject,
  spawnGatehouse,
  startGatehouse,
} from '../support/servers/gatehouse-process.js';
import { type MariaDb, createDatabase, startMariaDb } from '../support/servers/mariadb.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { type Step, TcpProxy } from '../support/servers/tcp-proxy.js';
import { NO_STOP_LIMITS } from '../support/stop-simulation.js';
import { connectionsWithUnreadBytes } from '../support/unread-bytes.js';
import { until } from '../support/until.js';

async function closeConnections({ rootUrl }: MariaDb, database: string): Promise<void> {
  const root = await createConnection(rootUrl);
  const processes = 'SELECT id FROM information_schema.processlist';
  const [rows] = await root.query<RowDataPacket[]>(`${processes} WHERE db = ?`, [database]);
  const ids = rows.map((row) => row.id as number);
  for (const id of ids)
    await root.query('KILL ?', [id]).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ER_NO_SUCH_THREAD') throw error;
    });
  // Killing breaks only the current connections; the service opens new ones automatically.
  const isGone = async (id: number) =>
    (await root.query<RowDataPacket[]>(`${processes} WHERE id = ?`, [id]))[0].length === 0;
  for (const id of ids) await until(() => isGone(id));
  await root.end();
}

describe('The account database', () => {
  let mariadb: MariaDb;
  let service: Gatehouse;
  let client: Client;
  let databaseUrl: string;

  beforeAll(async () => {
    mariadb = await startMariaDb();
    ({ url: databaseUrl } = await createDatabase(mariadb.rootUrl));
    service = await startGatehouse({ ...SECRETS, DATABASE_URL: databaseUrl });
    client = new Client(service.url);
  });
  afterAll(async () => {
    await service.stop();
    await mariadb.stop();
  });

  const isServed = async () => (await client.get('/api/server/list')).status === 200;

  const shownAsUp = async (from: Client) =>
    /^gatehouse_database_up (.)$/m.exec((await from.get('/api/metrics')).text)?.[1];

  it('causes 503 on routes that need it while it hangs, within ten times the promised 5 s', async () => {
    expect(await isServed()).toBe(true);
    mariadb.pause();
    // The server list is served from memory for a while.
    await until(async () => (await client.get('/api/server/list')).status !== 200);
    const since = performance.now();
    const needing = Array.from({ length: 30 }, (_, index) =>
      client.get(index % 2 ? '/api/server/list' : '/api/health/ready'),
    );
    expect((await client.get('/api/health/live')).status).toBe(200);
    for (const answer of await Promise.all(needing))
      expect(answer.body).toMatchObject({ code: 50302, error: 'service_unavailable' });
    expect(performance.now() - since).toBeLessThan(50_000);
    mariadb.resume();
    await until(isServed);
    await until(async () => (await client.get('/api/health/ready')).status === 200);
  });

  it('causes 503 after a kill until it is back', async () => {
    await mariadb.kill();
    // Both responses may be served from memory for a second.
    for (const path of ['/api/server/list', '/api/health/ready'])
      await until(async () => (await client.get(path)).status === 503);
    expect((await client.get('/api/health/ready')).body.error).toBe('service_unavailable');
    await until(async () => (await shownAsUp(client)) === '0');
    await mariadb.restart();
    await until(isServed);
    await until(async () => (await shownAsUp(client)) === '1');
  });

  it('blocks nothing permanently if it stops responding after the handshake', async () => {
    const { url } = await createDatabase(mariadb.rootUrl);
    const proxy = await TcpProxy.start(mariadb.port);
    const through = new URL(url);
    through.port = String(proxy.port);
    const falls: Step = { statements: [/innodb_lock_wait_timeout/], at: 'statement' };
    const silentAtFirst = proxy.holdAt(falls);
    const patient = await spawnGatehouse({ ...SECRETS, DATABASE_URL: through.href });
    await Promise.all([silentAtFirst, patient.process.waitForLine(/listening on/)]);
    const knock = new Client(patient.url);
    const report = () => knock.post('/api/report/chat', { server_id: 1, content: 'x' });
    await until(async () => (await report()).status === 200);
    // The report is sent twice because two chat statements may run in parallel.
    for (let time = 0; time < 2; time++) {
      const silent = proxy.holdEveryAt(falls);
      await closeConnections(mariadb, new URL(url).pathname.slice(1));
      const answer = await report();
      await silent;
      expect(answer.body.code).toBe(50302);
      proxy.heal();
    }
    await until(async () => (await report()).status === 200);
    expect(await patient.stop()).toBe(0);
    await proxy.stop();
  });

  it('is retried if it stops responding during startup', async () => {
    const places: Step[] = [
      { statements: [/SELECT version\(\)/i], at: 'answer' },
      { statements: [/SELECT name FROM migrations/], at: 'statement' },
    ];
    await Promise.all(
      places.map(async (place) => {
        const proxy = await TcpProxy.start(mariadb.port);
        const through = new URL(databaseUrl);
        through.port = String(proxy.port);
        const silent = proxy.holdAt(place);
        const starting = await spawnGatehouse({ ...SECRETS, DATABASE_URL: through.href });
        await silent;
        const knock = new Client(starting.url);
        const isReady = async () => (await knock.get('/api/health/ready')).status === 200;
        await starting.process.waitForLine(/listening on/);
        await until(isReady);
        expect(await starting.stop()).toBe(0);
        await proxy.stop();
      }),
    );
  });

  it('is awaited if it is unavailable at startup', async () => {
    const { url } = await createDatabase(mariadb.rootUrl);
    await mariadb.kill();
    const early = await spawnGatehouse({ ...SECRETS, DATABASE_URL: url });
    await early.process.waitForLine(/listening on/);
    const knock = new Client(early.url);
    expect((await knock.get('/api/health/live')).status).toBe(200);
    expect((await knock.get('/api/health/ready')).body.error).toBe('service_unavailable');
    expect((await knock.get('/api/server/list')).body.error).toBe('service_unavailable');
    expect(await shownAsUp(knock)).toBe('0');
    await mariadb.restart();
    await until(async () => (await knock.get('/api/server/list')).status === 200);
    await until(async () => (await shownAsUp(knock)) === '1');
    expect(await early.stop()).toBe(0);
  });
});

describe('An account database that hangs', () => {
  let mariadb: MariaDb;
  let env: Record<string, string>;
  beforeAll(async () => {
    mariadb = await startMariaDb();
    const { url } = await createDatabase(mariadb.rootUrl);
    env = { ...SECRETS, DATABASE_URL: url };
  });
  afterAll(() => mariadb.stop());

  it('does not prevent an instance from stopping', async () => {
    const instance = await startGatehouse({ ...env, NODE_OPTIONS: NO_STOP_LIMITS });
    mariadb.pause();
    // The instance checks once a second whether the database is up.
    await until(() => connectionsWithUnreadBytes(mariadb.port) >= 1);
    const status = await instance.stop();
    mariadb.resume();
    expect(status).toBe(0);
    expect(instance.logs()).toContain('closed before the server confirmed QUIT');
  });

  it('makes a command exit with 1', async () => {
    const root = await createConnection(env.DATABASE_URL!);
    await root.query('LOCK TABLES player WRITE');
    const show = [inProject('dist/gatehouse.js'), 'player', 'show', 'nobody'];
    const command = new ManagedProcess('node', show, { env });
    const waits = `SELECT 1 FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'`;
    await until(async () => (await root.query<RowDataPacket[]>(waits))[0].length > 0);
    mariadb.pause();
    expect(await command.exit.finally(() => mariadb.resume())).toBe(1);
    expect(command.output).toMatch(/did not answer|became free/);
    await root.end();
  });
});
