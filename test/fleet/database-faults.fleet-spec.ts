import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { SECRETS, freshDeployment } from '../support/api/deployment.js';
import { freePort } from '../support/servers/free-port.js';
import {
  type Gatehouse,
  inProject,
  spawnGatehouse,
  startGatehouse,
} from '../support/servers/gatehouse-process.js';
import { startLoad } from '../support/api/load.js';
import { type MariaDb, createDatabase, startMariaDb } from '../support/servers/mariadb.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { childrenOf, signalIfRunning } from '../support/servers/process-tree.js';
import { rawRequest } from '../support/api/raw-request.js';
import { type Step, TcpProxy } from '../support/servers/tcp-proxy.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  return [await work, performance.now() - started];
}

// By TCP alone: with workers, a connection that comes while the last of them closes may wait for an answer in vain.
async function accepts(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

async function closeConnections({ rootUrl }: MariaDb, database: string): Promise<void> {
  const root = await createConnection(rootUrl);
  const processes = 'SELECT id FROM information_schema.processlist';
  const [rows] = await root.query<RowDataPacket[]>(`${processes} WHERE db = ?`, [database]);
  const ids = rows.map((row) => row.id as number);
  for (const id of ids)
    await root.query('KILL ?', [id]).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ER_NO_SUCH_THREAD') throw error;
    });
  // Not all of the database: the service makes new ones by itself.
  const isGone = async (id: number) =>
    (await root.query<RowDataPacket[]>(`${processes} WHERE id = ?`, [id]))[0].length === 0;
  for (const id of ids) await until(() => isGone(id));
  await root.end();
}

describe('an account database', () => {
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

  it('that hangs gives 50302 in time where it is needed and is not felt elsewhere', async () => {
    expect(await isServed()).toBe(true);
    mariadb.pause();
    // Let the snapshot of the servers grow old.
    await until(async () => (await client.get('/api/server/list')).status !== 200);

    const needing = Array.from({ length: 30 }, (_, index) =>
      timed(client.get(index % 2 ? '/api/server/list' : '/api/health/ready')),
    );
    for (let look = 0; look < 10; look++) {
      const [live, ms] = await timed(client.get('/api/health/live'));
      expect(live.status).toBe(200);
      // Whatever waits for the database waits for two seconds at least.
      expect(ms).toBeLessThan(2000);
    }
    for (const [answer, ms] of await Promise.all(needing)) {
      expect(answer.body.error).toBe('service_unavailable');
      expect(answer.body.code).toBe(50302);
      expect(ms).toBeLessThan(5000);
    }
    mariadb.resume();
    await until(isServed);
    expect((await client.get('/api/health/ready')).status).toBe(200);
  });

  it('that is killed gives 50302 at once, and all is well when it is back', async () => {
    await mariadb.kill();
    // Either may tell for a second yet what it knew before.
    for (const path of ['/api/server/list', '/api/health/ready'])
      await until(async () => (await client.get(path)).status === 503);
    const [answer, ms] = await timed(client.get('/api/health/ready'));
    expect(answer.body.error).toBe('service_unavailable');
    // None of the time-outs was waited for, of which the shortest is two seconds.
    expect(ms).toBeLessThan(2000);
    expect(await shownAsUp(client)).toBe('0');
    await mariadb.restart();
    await until(isServed);
    await until(async () => (await shownAsUp(client)) === '1');
  });

  it('that falls silent after the handshake is given up in time, and nothing is stuck when it speaks again', async () => {
    const { url } = await createDatabase(mariadb.rootUrl);
    const proxy = await TcpProxy.start(mariadb.port);
    const through = new URL(url);
    through.port = String(proxy.port);
    const falls: Step = { statements: [/innodb_lock_wait_timeout/], at: 'statement' };
    const silentAtFirst = proxy.holdAt(falls);
    const patient = await spawnGatehouse({ ...SECRETS, DATABASE_URL: through.href });
    await Promise.all([silentAtFirst, patient.process.waitForLine(/listening on/)]);
    const knock = new Client(patient.url);
    const report = () => timed(knock.post('/api/report/chat', { server_id: 1, content: 'x' }));
    await until(async () => (await report())[0].status === 200);
    // Twice, since two statements for chat may be under way at once.
    for (let time = 0; time < 2; time++) {
      const silent = proxy.holdEveryAt(falls);
      await closeConnections(mariadb, new URL(url).pathname.slice(1));
      const [answer, ms] = await report();
      await silent;
      expect(answer.body.code).toBe(50302);
      expect(ms).toBeLessThan(5500);
      proxy.heal();
    }
    expect((await report())[0].status).toBe(200);
    expect(await patient.stop()).toBe(0);
    await proxy.stop();
  });

  it('that falls silent in the midst of a start is tried again within seconds', async () => {
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
        const [, ms] = await timed(
          starting.process.waitForLine(/listening on/).then(() => until(isReady)),
        );
        // 3 s for the statement, a second until the next try.
        expect(ms).toBeLessThan(10_000);
        expect(await starting.stop()).toBe(0);
        await proxy.stop();
      }),
    );
  });

  it('that is not there yet at the start is waited for', async () => {
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
    expect(await shownAsUp(knock)).toBe('1');
    expect(await early.stop()).toBe(0);
  });
});

describe('SIGTERM', () => {
  it('under load breaks no request, turns `ready` to 503 and ends with 0', async () => {
    const deployment = await freshDeployment();
    const service = await startGatehouse(deployment.env);
    const load = startLoad(`${service.url}/api/server/list`, 32);
    await until(() => load.answered > 500, { within: 30_000 });
    const stopped = service.stop();
    await load.done;
    expect(await stopped).toBe(0);
    expect(load.broken).toEqual([]);
    expect(load.answered).toBeGreaterThan(500);
    await deployment.drop();
  });

  it.concurrent.each(['1', '2'])(
    'sent twice to all of WORKERS=%s leaves a slow request its time, and no more than that',
    async (workers) => {
      const service = await startGatehouse({ WORKERS: workers });
      const slow = connect(Number(new URL(service.url).port), '127.0.0.1');
      slow.write('POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
      slow.write('Expect: 100-continue\r\nContent-Length: 2\r\n\r\n');
      const answer = text(slow);
      await until(() => slow.bytesRead > 0);
      for (let time = 0; time < 2; time++)
        for (const pid of [service.pid, ...childrenOf(service.pid)])
          signalIfRunning(pid, 'SIGTERM');
      await service.process.waitForLine(/finishing the requests/);
      // Whoever watches is told, on a connection of his own; then no more of them are taken.
      const ready = () => rawRequest(service.url, '/api/health/ready');
      await until(async () => (await ready()).status === 503);
      await until(async () => !(await accepts(service.url)));
      slow.write('{}');
      expect(await answer).toMatch(/HTTP\/1.1 400 .*connection: close/is);
      const [status, ms] = await timed(service.process.exit);
      expect(status).toBe(0);
      // Of the 15 seconds that it might take.
      expect(ms).toBeLessThan(10_000);
      await service.stop();
    },
  );

  it('sent to npm reaches the service', async () => {
    const folder = temporaryFolder('npm');
    const port = String(await freePort());
    const npm = new ManagedProcess('npm', ['start'], {
      cwd: inProject('.'),
      // Set, if to nothing: a .env in the project names another.
      env: { PORT: port, DATA_DIR: folder, DATABASE_URL: '' },
    });
    await npm.waitForLine(/listening on/, 60_000);
    const [, ms] = await timed(npm.stop());
    expect(ms).toBeLessThan(15_000);
    expect(await accepts(`http://127.0.0.1:${port}`)).toBe(false);
    removeFolder(folder);
  });

  it('is not lost between the two ways to stop, of a start and of a service', async () => {
    const module = inProject('dist/platform/cluster/stop-signal.js');
    const script = `
      import { onStopSignal } from ${JSON.stringify(module)};
      onStopSignal(() => process.exit(1));
      process.kill(process.pid, 'SIGTERM');
      onStopSignal(() => process.exit(0));
      setTimeout(() => process.exit(2), 5000);`;
    const child = new ManagedProcess(process.execPath, ['--input-type=module', '-e', script]);
    expect(await child.exit).toBe(0);
  });

  it('ends an idle service at once, keep-alive connections or not', async () => {
    const service = await startGatehouse();
    await new Client(service.url).get('/api/health/live');
    const [status, ms] = await timed(service.stop());
    expect(status).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });
});
