import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRETS } from '../support/api/deployment.js';
import { type Gatehouse, inProject, startGatehouse } from '../support/servers/gatehouse-process.js';
import { type MariaDb, createDatabase, startMariaDb } from '../support/servers/mariadb.js';
import { FAST_STOP, HANGING_WORKERS } from '../support/stop-simulation.js';
import { childrenOf, signalIfRunning } from '../support/servers/process-tree.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { until } from '../support/until.js';
import { connectionsWithUnreadBytes } from '../support/unread-bytes.js';

let mariadb: MariaDb;
let env: Record<string, string>;
beforeAll(async () => {
  mariadb = await startMariaDb();
  const { url } = await createDatabase(mariadb.rootUrl);
  env = { ...SECRETS, DATABASE_URL: url };
});
afterAll(() => mariadb.stop());

async function startWorkers(more: Record<string, string> = {}): Promise<Gatehouse> {
  const service = await startGatehouse({ ...env, ...more, WORKERS: '2' });
  await until(() => (service.logs().match(/listening on/g) ?? []).length >= 2);
  return service;
}

describe('while the account database hangs', () => {
  it('SIGTERM ends an instance within seconds, with workers and without', async () => {
    const instances = [await startGatehouse(env), await startWorkers()];
    mariadb.pause();
    // Each of the three processes looks once a second whether the database is up.
    await until(() => connectionsWithUnreadBytes(mariadb.port) >= 3);
    const started = performance.now();
    const statuses = await Promise.all(instances.map((instance) => instance.stop()));
    const tookMs = performance.now() - started;
    mariadb.resume();
    expect(statuses).toEqual([0, 0]);
    expect(tookMs).toBeLessThan(12_000);
    for (const { logs } of instances)
      expect(logs()).toContain('closed before the server confirmed QUIT');
  });

  it('a command ends', async () => {
    const root = await createConnection(env.DATABASE_URL!);
    await root.query('LOCK TABLES player WRITE');
    const show = [inProject('dist/gatehouse.js'), 'player', 'show', 'nobody'];
    const command = new ManagedProcess('node', show, { env });
    const waits = `SELECT 1 FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'`;
    await until(async () => (await root.query<RowDataPacket[]>(waits))[0].length > 0);
    mariadb.pause();
    await until(() => command.hasExited).finally(() => mariadb.resume());
    expect(await command.exit).toBe(1);
    expect(command.output).toMatch(/did not answer|became free/);
    await root.end();
  });
});

describe('a stop that hangs', () => {
  it('is ended by each worker itself, which says what it was at and exits 1', async () => {
    const service = await startWorkers({ NODE_OPTIONS: HANGING_WORKERS });
    expect(await service.stop()).toBe(1);
    const told = /still finishing the requests in flight 18 s after the stop signal/g;
    expect(service.logs().match(told)).toHaveLength(2);
    expect(service.logs()).not.toContain('it is killed');
  });

  it('of a worker that is killed meanwhile is told of, and makes the exit code 1', async () => {
    const service = await startWorkers({ NODE_OPTIONS: HANGING_WORKERS });
    const workers = childrenOf(service.pid);
    service.process.signal('SIGTERM');
    await until(() => service.logs().match(/SIGTERM: finishing/g)?.length === 2);
    for (const pid of workers) signalIfRunning(pid, 'SIGKILL');
    expect(await service.process.exit).toBe(1);
    expect(service.logs()).toMatch(/"signal":"SIGKILL".*a worker did not end as it should/);
    await service.kill();
  });

  it('of a worker that stands still is ended by the primary, also where it gives up on the others', async () => {
    const service = await startWorkers({ NODE_OPTIONS: FAST_STOP });
    const [frozen] = childrenOf(service.pid);
    process.kill(frozen!, 'SIGSTOP');
    const killing = setInterval(() => {
      for (const pid of childrenOf(service.pid))
        if (pid !== frozen) signalIfRunning(pid, 'SIGKILL');
    }, 100);
    expect(await service.process.exit).toBe(1);
    clearInterval(killing);
    const told = `workers in a row died right after their start: giving up[^]*"worker":${frozen}.*it is killed`;
    expect(service.logs()).toMatch(new RegExp(told));
    await service.kill();
  });
});
