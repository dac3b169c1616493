import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMailbox } from '../support/accounts.js';
import { solvedChallenge } from '../support/api/challenge.js';
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
  const challenge = 'challenge: { mode: always, difficulty: 1000 }';
  writeFileSync(settingsFile, `rate_limit: { per_minute: 10 }\n${challenge}`);
  const env = { ...deployment.env, REDIS_URL: redis.url, SETTINGS_FILE: settingsFile };
  // Both instances migrate the empty database in parallel.
  instances = await Promise.all([startGatehouse(env), startGatehouse(env)]);
  clients = [new Client(instances[0].url), new Client(instances[1].url)];
  // An instance is ready before it has connected to Redis.
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

/** Sends requests to the instances in turn and returns how many were admitted. */
async function letIn(address: string, requests: number): Promise<number> {
  let through = 0;
  for (let request = 0; request < requests; request++) {
    const answer = await clients[request % 2]!.get('/api/nope', { from: address });
    if (answer.body.error === 'not_found') through++;
    else expect(answer.body.error).toBe('too_many_requests');
  }
  return through;
}

/** Sends one solution to both instances concurrently and returns how many requests were accepted. */
async function acceptedSolutions(): Promise<number> {
  const challenge = await solvedChallenge(clients[0]);
  const answers = await Promise.all(
    [...clients, ...clients, ...clients].map((client, n) => {
      const from = `198.51.100.${100 + n}`;
      return client.post('/api/send_code', { email: newMailbox(), challenge }, { from });
    }),
  );
  const errors = answers.map(({ body }) => body.error as string);
  // An accepted request fails later, because these instances have no mail server.
  const accepted = errors.filter((error) => error === 'mail_unavailable').length;
  expect(errors.filter((error) => error === 'challenge_required')).toHaveLength(6 - accepted);
  return accepted;
}

describe('Two instances on one database and one Redis', () => {
  it('share one rate limit', async () => {
    expect(await letIn('198.51.100.1', 20)).toBe(10);
  });

  it('accept the solution of a challenge once, even in parallel', async () => {
    expect(await acceptedSolutions()).toBe(1);
  });

  it('fall back to local counters and report it while Redis is down, and share again once it is back', async () => {
    await redis.kill();
    for (const client of clients) await until(async () => (await redisState(client)) === 'down');
    expect(await letIn('198.51.100.2', 40)).toBe(20);
    expect(await acceptedSolutions()).toBe(2);
    for (const { url, process } of instances) {
      await process.waitForLine(/Redis is down/);
      const metrics = await new Client(url).get('/api/metrics');
      expect(metrics.text).toContain('gatehouse_redis_up 0');
    }
    await redis.restart();
    for (const client of clients) await until(async () => (await redisState(client)) === 'up');
    expect(await letIn('198.51.100.3', 20)).toBe(10);
    expect(await acceptedSolutions()).toBe(1);
  });

  it('fall back to local counters while Redis hangs', async () => {
    redis.pause();
    expect(await letIn('198.51.100.4', 40)).toBe(20);
    redis.resume();
    for (const client of clients) await until(async () => (await redisState(client)) === 'up');
  });
});
