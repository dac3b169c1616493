import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { type Deployment, freshDeployment } from '../support/api/deployment.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { type Redis, startRedis } from '../support/servers/redis.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

let deployment: Deployment;
let redis: Redis;
let folder: string;
let settingsFile: string;
let instances: [Gatehouse, Gatehouse];
let clients: [Client, Client];

beforeAll(async () => {
  deployment = await freshDeployment();
  redis = await startRedis();
  folder = temporaryFolder('settings');
  settingsFile = join(folder, 'settings.yaml');
  writeFileSync(settingsFile, 'rate_limit: { per_minute: 10 }');
  const env = { ...deployment.env, REDIS_URL: redis.url, SETTINGS_FILE: settingsFile };
  // On an empty database and at once: their migrations must not trip over each other.
  instances = await Promise.all([startGatehouse(env), startGatehouse(env)]);
  clients = [new Client(instances[0].url), new Client(instances[1].url)];
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await redis.stop();
  await deployment.drop();
  removeFolder(folder);
});

const redisState = async (client: Client) =>
  (await client.get('/api/health/ready')).body.data.redis as string;

async function sql(statement: string): Promise<void> {
  const connection = await createConnection(deployment.url);
  await connection.query(statement);
  await connection.end();
}

/** Requests alternate between the instances; gives how many of them were let in. */
async function letIn(address: string, requests: number): Promise<number> {
  let through = 0;
  for (let request = 0; request < requests; request++) {
    const answer = await clients[request % 2]!.get('/api/nope', { from: address });
    if (answer.body.error === 'not_found') through++;
    else expect(answer.body.error).toBe('too_many_requests');
  }
  return through;
}

describe('two instances on one database and one Redis', () => {
  it('share the rate limit', async () => {
    expect(await letIn('198.51.100.1', 20)).toBe(10);
  });

  it('go on by themselves while Redis is down, say so, and share again once it is back', async () => {
    await redis.kill();
    for (const client of clients) await until(async () => (await redisState(client)) === 'down');
    expect(await letIn('198.51.100.2', 40)).toBe(20);
    for (const { url, process } of instances) {
      await process.waitForLine(/Redis is down/);
      const metrics = await new Client(url).get('/api/metrics');
      expect(metrics.text).toContain('gatehouse_redis_up 0');
    }
    await redis.restart();
    for (const client of clients) await until(async () => (await redisState(client)) === 'up');
    expect(await letIn('198.51.100.3', 20)).toBe(10);
  });

  it('are not held up by a Redis that hangs', async () => {
    redis.pause();
    const started = performance.now();
    expect(await letIn('198.51.100.4', 40)).toBe(20);
    // The first request of each instance finds out after half a second, the others no longer ask.
    expect(performance.now() - started).toBeLessThan(10_000);
    redis.resume();
    for (const client of clients) await until(async () => (await redisState(client)) === 'up');
  });

  it('both follow an SQL edit of a server within two seconds', async () => {
    const status = async (client: Client) =>
      (await client.get('/api/server/list')).body.data.servers[0]?.status as string | undefined;
    await sql("INSERT INTO server (id, name, address, port) VALUES (1, 'z', 'a.example', 7000)");
    for (const client of clients) await until(async () => (await status(client)) === 'normal');
    await sql("UPDATE server SET status = 'maintenance' WHERE id = 1");
    const follows = (client: Client) =>
      until(async () => (await status(client)) === 'maintenance', { within: 2000 });
    await Promise.all(clients.map(follows));
  });

  it('both follow the settings file within two seconds, however an editor replaces it', async () => {
    const denied = async (client: Client) =>
      (await client.get('/api/health/live', { from: '203.0.113.5' })).status === 403;
    const all = (holds: (client: Client) => Promise<boolean>) =>
      // Looked at every half second until it stays the same: on a busy machine that takes longer than it should.
      Promise.all(clients.map((client) => until(() => holds(client), { within: 4000 })));

    const draft = join(folder, 'draft.yaml');
    writeFileSync(draft, 'deny_ip: [203.0.113.5]');
    renameSync(draft, settingsFile);
    await all(denied);
    writeFileSync(settingsFile, 'deny_ip: [203.0.113.6]');
    await all(async (client) => !(await denied(client)));
  });

  it('refuse a bad settings file with its reasons, and keep the last good one', async () => {
    writeFileSync(settingsFile, 'deny_ip: [203.0.113.7]');
    const denied = async (client: Client) =>
      (await client.get('/api/health/live', { from: '203.0.113.7' })).status === 403;
    for (const client of clients) await until(() => denied(client));

    writeFileSync(settingsFile, 'deny_ip: [everyone]\nday_max_reg: lots');
    for (const { process } of instances)
      await process.waitForLine(/refused.*deny_ip must be.*day_max_reg must be/);
    for (const client of clients) {
      expect(await denied(client)).toBe(true);
      expect((await client.get('/api/health/ready')).body.data.settings).toBe('refused');
      expect((await client.get('/api/metrics')).text).toMatch(/^gatehouse_settings_refused 1$/m);
    }
    expect(instances[0].logs().match(/was refused/g)).toHaveLength(1);
  });

  it('log one line for each request, with what operations need and no query', async () => {
    const answer = await clients[0].get('/api/server/list?token=SECRET-IN-QUERY', {
      from: '198.51.100.9',
    });
    const id = answer.headers.get('x-request-id')!;
    const [line] = await instances[0].process.waitForLine(new RegExp(`^.*${id}.*$`));
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      request_id: id,
      method: 'GET',
      path: '/api/server/list',
      status: 200,
      ms: expect.any(Number),
      address: '198.51.100.9',
    });
    expect(instances[0].logs()).not.toContain('SECRET-IN-QUERY');
  });
});
