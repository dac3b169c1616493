import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unique } from '../support/accounts.js';
import { type Answer, Client } from '../support/api/client.js';
import { freePort } from '../support/servers/free-port.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { childrenOf } from '../support/servers/process-tree.js';
import { rawRequest } from '../support/api/raw-request.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

const guessFor = (account: string) => JSON.stringify({ account, password: 'a guess' });

describe('WORKERS=2', () => {
  const folder = temporaryFolder('workers');
  const settings = join(folder, 'settings.yaml');
  // A folder of its own, so that a test can take the program away.
  const [bin, away] = [join(folder, 'bin'), join(folder, 'away')];
  let service: Gatehouse;
  let client: Client;

  const workers = () => childrenOf(service.pid);
  const untilListening = (times: number) =>
    until(() => (service.logs().match(/listening on/g) ?? []).length >= times);

  beforeAll(async () => {
    mkdirSync(bin);
    copyFileSync(process.execPath, join(bin, 'node'));
    writeFileSync(settings, 'rate_limit: { per_minute: 40 }\ndeny_ip: [203.0.113.7]');
    service = await startGatehouse({ WORKERS: '2', SETTINGS_FILE: settings, PATH: bin });
    client = new Client(service.url);
    await untilListening(2);
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    removeFolder(folder);
  });

  /** The log line of a request may come after its answer. */
  const untilBothHad = (path: string) => {
    const lines = new RegExp(`"pid":\\d+(?=.*"path":"${path}")`, 'g');
    return until(() => new Set(service.logs().match(lines)).size === 2);
  };

  let addresses = 0;
  /** Each on a connection of its own, all from an address of which nothing was counted yet. */
  const asking = () => ({
    from: `198.51.100.${100 + ++addresses}`,
    headers: { Connection: 'close' },
  });

  /** Few at a time: the primary has a second to count a request, which is let through otherwise. */
  async function inBatches(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (answers.length < count)
      answers.push(...(await Promise.all(Array.from({ length: 4 }, ask))));
    return answers;
  }
  const having = (answers: Answer[], wanted: number) =>
    answers.filter(({ status }) => status === wanted).length;

  it('counts requests once for all workers, and shows the metrics of all of them', async () => {
    const request = asking();
    const answers = await inBatches(60, () => client.get('/api/nope', request));
    await untilBothHad('/api/nope');
    expect([having(answers, 404), having(answers, 429)]).toEqual([40, 20]);
    const { text } = await client.get('/api/metrics');
    expect(/"too_many_requests"} (\d+)/.exec(text)?.[1]).toBe('20');
  });

  it('checks only as many guesses as the limit allows, whichever worker receives them', async () => {
    const [request, body] = [asking(), guessFor(unique('nobody'))];
    const answers = await inBatches(20, () => client.post('/api/login', body, request));
    expect([having(answers, 401), having(answers, 429)]).toEqual([5, 15]);
    await untilBothHad('/api/login');
  });

  it('refuses logins, but serves everything else, while the primary does not respond', async () => {
    // The primary distributes new connections, so this test reuses one.
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
    // The worker shows its own metrics, without the start time, which belongs to the primary.
    const { body } = await rawRequest(service.url, '/api/metrics', { agent });
    expect(String(body)).toContain('gatehouse_build_info');
    expect(String(body)).not.toContain('process_start_time_seconds');
    process.kill(service.pid, 'SIGCONT');
    // It first has to work through what came while it stood still.
    await until(async () => (await login()).status === 401);
    agent.destroy();
  });

  it('replaces a worker that died', async () => {
    const [first, second] = workers();
    process.kill(first!, 'SIGKILL');
    await service.process.waitForLine(/a worker died/);
    // A connection of its own, because a kept one may lead to the dead worker.
    expect((await rawRequest(service.url, '/api/health/live')).status).toBe(200);
    await untilListening(3);
    expect(workers()).toHaveLength(2);
    expect(workers()).toContain(second);
    await until(async () =>
      /^gatehouse_worker_restarts_total 1$[^]*^process_start_time_seconds \d+$/m.test(
        String((await rawRequest(service.url, '/api/metrics')).body),
      ),
    );
  });

  it('continues with the other worker while the system cannot start a process, and retries', async () => {
    const [first, second] = workers();
    // Node throws some of the errors of the system: here, a file is where the folder was.
    renameSync(bin, away);
    writeFileSync(bin, '');
    process.kill(first!, 'SIGKILL');
    await service.process.waitForLine(/ENOTDIR.*a worker cannot be started/);
    // Node reports other errors of the system by an event.
    rmSync(bin);
    await service.process.waitForLine(/ENOENT.*a worker cannot be started/);
    expect((await rawRequest(service.url, '/api/health/live')).status).toBe(200);
    renameSync(away, bin);
    await untilListening(4);
    expect(workers()).toContain(second);
  });

  it('gives new workers the last good settings while the settings file is refused', async () => {
    writeFileSync(settings, 'deny_ipp: []');
    await service.process.waitForLine(/deny_ipp is not a known setting/);
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
    await untilListening(6);
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    const knock = () => rawRequest(service.url, '/api/health/live', { headers });
    for (let time = 0; time < 6; time++) expect((await knock()).status).toBe(403);
  });
});

describe('WORKERS=2 with DESK_PORT', () => {
  it('starts one desk, which knows the mail server of the sandbox', async () => {
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
      return body.data?.mail.state === 'up';
    });
    expect(await service.stop()).toBe(0);
  });
});
