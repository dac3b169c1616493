import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { freshDeployment } from '../support/api/deployment.js';
import { unique } from '../support/api/factories.js';
import { freePort } from '../support/servers/free-port.js';
import { startGatehouse } from '../support/servers/gatehouse-process.js';
import { childrenOf } from '../support/servers/process-tree.js';
import { rawRequest } from '../support/api/raw-request.js';
import { startRedis } from '../support/servers/redis.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { retryIfTooSlow } from '../support/run/slow-machine.js';
import { until } from '../support/until.js';

const guessFor = (account: string) => JSON.stringify({ account, password: 'a guess' });

async function startWorkers(env: Record<string, string> = {}) {
  const deployment = await freshDeployment();
  const service = await startGatehouse({ ...deployment.env, WORKERS: '2', ...env });
  await until(() => childrenOf(service.pid).length === 2);
  await until(() => (service.logs().match(/listening on/g) ?? []).length >= 2);
  return { service, deployment, client: new Client(service.url) };
}

describe('WORKERS=2', () => {
  let workers: Awaited<ReturnType<typeof startWorkers>>;
  beforeAll(async () => {
    workers = await startWorkers();
  });
  afterAll(async () => {
    expect(await workers.service.stop()).toBe(0);
    await workers.deployment.drop();
  });

  /** A line may come after the answer that it tells of. */
  const untilBothHad = (path: string) => {
    const lines = new RegExp(`"pid":\\d+(?=.*"path":"${path}")`, 'g');
    return until(() => new Set(workers.service.logs().match(lines)).size === 2);
  };

  let addresses = 0;
  /** Each on a connection of its own, all from an address of which nothing was counted yet. */
  const asking = () => ({
    from: `198.51.100.${100 + ++addresses}`,
    headers: { Connection: 'close' },
  });

  it('counts requests once for all workers, and shows the metrics of all of them', async () => {
    const { client, service } = workers;
    const refused = async () =>
      Number(/"too_many_requests"} (\d+)/.exec((await client.get('/api/metrics')).text)?.[1] ?? 0);
    const uncounted = () => service.logs().split('a request was not counted').length;
    const [refusedBefore, uncountedBefore] = [await refused(), uncounted()];
    const since = performance.now();
    const request = asking();
    const knock = () => client.get('/api/nope', request);
    const answers = await Promise.all(Array.from({ length: 400 }, knock));
    await untilBothHad('/api/nope');
    // The primary has a second to count a request, which is let through otherwise.
    retryIfTooSlow(uncounted() > uncountedBefore && performance.now() - since > 1000);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(300);
    expect((await refused()) - refusedBefore).toBe(100);
  });

  it('answers as many guesses as the limit allows, whichever worker is asked', async () => {
    const [request, body, since] = [asking(), guessFor(unique('nobody')), performance.now()];
    const guess = () => workers.client.post('/api/login', body, request);
    const answers = await Promise.all(Array.from({ length: 40 }, guess));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    // The same second: nobody guesses uncounted.
    retryIfTooSlow(statuses.includes(503) && performance.now() - since > 1000);
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(35).fill(429)]);
    await untilBothHad('/api/login');
  });

  it('lets nobody guess, but everybody else in, while the primary does not answer', async () => {
    const { service } = workers;
    // Connections are the primary's to hand out: this one is kept.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { 'X-Forwarded-For': '198.51.100.2', 'Content-Type': 'application/json' };
    const list = () => rawRequest(service.url, '/api/server/list', { agent, headers });
    const login = () =>
      rawRequest(
        service.url,
        '/api/login',
        { agent, headers, method: 'POST' },
        guessFor('somebody'),
      );
    expect((await list()).status).toBe(200);
    process.kill(service.pid, 'SIGSTOP');
    expect((await list()).status).toBe(200);
    await service.process.waitForLine(/a request was not counted/);
    expect((await login()).status).toBe(503);
    // The worker's own are shown, and its start is no start of the instance.
    const { body } = await rawRequest(service.url, '/api/metrics', { agent });
    expect(String(body)).toContain('gatehouse_build_info');
    expect(String(body)).not.toContain('process_start_time_seconds');
    process.kill(service.pid, 'SIGCONT');
    expect((await login()).status).toBe(401);
    agent.destroy();
  });
});

describe('WORKERS=2, when one of them dies or Redis goes', () => {
  it('replaces a worker that died, and says of Redis what holds for all', async () => {
    const redis = await startRedis();
    const { service, deployment, client } = await startWorkers({ REDIS_URL: redis.url });
    const metrics = async () => (await client.get('/api/metrics')).text;
    await until(async () => /^gatehouse_redis_up 1$/m.test(await metrics()));
    const [first, second] = childrenOf(service.pid);
    process.kill(first!, 'SIGKILL');
    await service.process.waitForLine(/a worker died/);
    // Over a connection of its own: one that was kept may have been to the dead worker.
    expect((await rawRequest(service.url, '/api/health/live')).status).toBe(200);
    await until(() => childrenOf(service.pid).filter((pid) => pid !== first).length === 2);
    expect(childrenOf(service.pid)).toContain(second);
    await until(() => (service.logs().match(/listening on/g) ?? []).length >= 3);
    expect(await metrics()).toMatch(
      /^gatehouse_worker_restarts_total 1$[^]*^process_start_time_seconds \d+$/m,
    );
    expect(await service.stop()).toBe(0);
    await redis.stop();
    await deployment.drop();
  });

  it('replaces a worker while the settings file is refused: the new one has the last good settings', async () => {
    const folder = temporaryFolder('worker-settings');
    const settings = join(folder, 'settings.yaml');
    writeFileSync(settings, 'deny_ip: [203.0.113.7]');
    const { service, deployment } = await startWorkers({ SETTINGS_FILE: settings });
    writeFileSync(settings, 'deny_ipp: []');
    await service.process.waitForLine(/deny_ipp is not a known setting/);
    const before = childrenOf(service.pid);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await until(() => childrenOf(service.pid).filter((pid) => !before.includes(pid)).length === 2);
    await until(() => (service.logs().match(/listening on/g) ?? []).length >= 4);
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    const knock = () => rawRequest(service.url, '/api/health/live', { headers });
    for (let time = 0; time < 6; time++) expect((await knock()).status).toBe(403);
    expect(await service.stop()).toBe(0);
    removeFolder(folder);
    await deployment.drop();
  });

  it('goes on with those that live while the system can start no other, and then starts it', async () => {
    const folder = temporaryFolder('worker-program');
    const [bin, away] = [join(folder, 'bin'), join(folder, 'away')];
    mkdirSync(bin);
    copyFileSync(process.execPath, join(bin, 'node'));
    const { service, deployment } = await startWorkers({ PATH: bin });
    const [first, second] = childrenOf(service.pid);
    // Of what a system refuses, Node throws some: a file is where the folder was.
    renameSync(bin, away);
    writeFileSync(bin, '');
    process.kill(first!, 'SIGKILL');
    await service.process.waitForLine(/ENOTDIR.*a worker cannot be started/);
    // The rest it tells by an event.
    rmSync(bin);
    await service.process.waitForLine(/ENOENT.*a worker cannot be started/);
    expect((await rawRequest(service.url, '/api/health/live')).status).toBe(200);
    renameSync(away, bin);
    await until(() => childrenOf(service.pid).filter((pid) => pid !== first).length === 2);
    expect(childrenOf(service.pid)).toContain(second);
    expect(await service.stop()).toBe(0);
    removeFolder(folder);
    await deployment.drop();
  });

  it('goes on counting from where Redis was lost', async () => {
    const redis = await startRedis();
    const { service, deployment, client } = await startWorkers({ REDIS_URL: redis.url });
    const redisUp = async (up: number) =>
      (await client.get('/api/metrics')).text.includes(`gatehouse_redis_up ${up}\n`);
    await until(() => redisUp(1));
    const letIn = async (guesses: number) => {
      let through = 0;
      for (let guess = 0; guess < guesses; guess++) {
        // Over connections of their own, which reach both workers.
        const options = { headers: { Connection: 'close' } };
        if ((await client.post('/api/login', guessFor('nobody'), options)).status === 401)
          through++;
      }
      return through;
    };
    expect(await letIn(4)).toBe(4);
    await redis.kill();
    await until(() => redisUp(0));
    expect(await letIn(10)).toBe(1);
    expect(await service.stop()).toBe(0);
    await redis.stop();
    await deployment.drop();
  });
});

describe('WORKERS=2 without a database of its own', () => {
  it('works on the embedded one, with a desk that knows the servers of the sandbox', async () => {
    const port = String(await freePort());
    const service = await startGatehouse({ WORKERS: '2', DESK_PORT: port });
    const client = new Client(service.url);
    const lists = await Promise.all(
      Array.from({ length: 20 }, () => client.get('/api/server/list')),
    );
    expect(lists.every(({ status }) => status === 200)).toBe(true);
    const [, name, password] = await service.process.waitForLine(
      /The operators' desk: .* sign in as (\S+) with (\S+)/,
    );
    const desk = new Client(`http://127.0.0.1:${port}`);
    const { headers } = await desk.post('/api/sign_in', { name, password });
    const Cookie = headers.getSetCookie()[0]!.split(';')[0]!;
    await until(async () => {
      const { body } = await desk.get('/api/now', { headers: { Cookie } });
      return body.data.mail.state === 'up';
    });
    expect(await service.stop()).toBe(0);
  });
});
