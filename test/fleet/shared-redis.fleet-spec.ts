import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  // Both migrate the empty database at the same time.
  instances = await Promise.all([startGatehouse(env), startGatehouse(env)]);
  clients = [new Client(instances[0].url), new Client(instances[1].url)];
  // An instance is ready before it has reached Redis.
  for (const client of clients) await until(async () => (await redisState(client)) === 'up');
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await redis.stop();
  await deployment.drop();
  removeFolder(folder);
});

const redisState = async (client: Client) =>
  (await client.get('/api/health/ready')).body.data?.redis as string;

/** Requests alternate between the instances; returns how many were let in. */
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
  it('share one rate limit', async () => {
    expect(await letIn('198.51.100.1', 20)).toBe(10);
  });

  it('count on their own and report it while Redis is down, and share again when it is back', async () => {
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

  it('count on their own while Redis hangs', async () => {
    redis.pause();
    expect(await letIn('198.51.100.4', 40)).toBe(20);
    redis.resume();
    for (const client of clients) await until(async () => (await redisState(client)) === 'up');
  });
});
