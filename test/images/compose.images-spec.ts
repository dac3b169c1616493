import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { Stack, startEngine, stopEngine, writeEnv } from './docker-engine.js';

const SERVICE = 'http://127.0.0.1:3001';
const MAILS = 'http://127.0.0.1:8025/api/v1/messages';
const DESK = 'http://127.0.0.1:3100';
const PLAYER = { account: 'dockhand', password: 'a quiet harbour' };
const SECRETS = {
  PASSWORD_KEY: 'password-key-of-the-image-test-0001',
  JWT_SECRET: 'jwt-secret-of-the-image-test-000000002',
  GM_SECRET: 'gm-secret-of-the-image-test-0003',
  MARIADB_PASSWORD: 'mariadbpasswordoftheimagetest',
  REDIS_PASSWORD: 'redispasswordoftheimagetest',
};
/** Allows for a first run, which creates the engine and its images and downloads all packages. */
const LIMIT = 30 * 60_000;

describe('The Docker images', { timeout: LIMIT }, () => {
  beforeAll(startEngine, LIMIT);
  afterAll(stopEngine, LIMIT);

  describe('docker-compose.yml', () => {
    const stack = new Stack('docker-compose.yml');

    beforeAll(async () => {
      writeEnv(SECRETS);
      await stack.compose('down', '--volumes');
      await stack.up('--build');
      await addServer(stack);
      await register(stack);
    }, LIMIT);
    afterAll(async () => stack.compose('down', '--volumes'), LIMIT);

    it('logs in a player who registered through nginx with a code from the mail catcher', async () => {
      expect(await logIn(stack)).toBe(200);
    });

    it('serves the desk and the API documentation', async () => {
      for (const url of [DESK, `${SERVICE}/api/docs/swagger-ui-bundle.js`])
        expect((await stack.request(url)).status, url).toBe(200);
    });

    it('gives instances a read-only file system', async () => {
      const write = stack.compose('exec', '-T', 'app1', 'touch', 'data/file');
      await expect(write).rejects.toThrow('Read-only file system');
    });

    it('logs players in while one instance is down', async () => {
      await stack.compose('kill', 'app1');
      for (const _ of Array(4)) expect(await logIn(stack)).toBe(200);
    });

    it('stops every container on down and keeps its players for the next up', async () => {
      await stack.compose('down');
      expect(await stack.compose('ps', '--all', '--quiet')).toBe('');
      await stack.up();
      expect(await logIn(stack)).toBe(200);
    });

    it('fails to start with the unchanged .env.example', async () => {
      writeEnv();
      await expect(stack.compose('up', '--wait')).rejects.toThrow(/(MARIADB|REDIS)_PASSWORD/);
      writeEnv(SECRETS);
    });
  });

  describe('docker-compose.cluster.yml', () => {
    const stack = new Stack('docker-compose.cluster.yml');

    beforeAll(async () => {
      writeEnv(SECRETS);
      await stack.compose('down', '--volumes');
      await stack.up();
      await addServer(stack);
      await register(stack);
    }, LIMIT);
    afterAll(async () => stack.compose('down', '--volumes'), LIMIT);

    it('keeps the counters when the Redis master restarts', async () => {
      await redis(stack, 'set', 'probe', 'kept');
      await stack.compose('restart', 'redis1');
      await until(async () => (await redis(stack, 'get', 'probe')) === 'kept');
    });

    it('logs players in again after the database node in use was killed', async () => {
      await stack.compose('kill', 'db1');
      await until(async () => (await logIn(stack)) === 200, { within: 60_000 });
    });

    it('keeps its players if everything is stopped while db1 is down', async () => {
      await stack.compose('down');
      await stack.up();
      expect(await logIn(stack)).toBe(200);
      expect(await clusterSize(stack)).toBe(3);
    });

    it('keeps its players if all three database nodes are stopped', async () => {
      await stack.compose('down');
      await stack.up();
      expect(await logIn(stack)).toBe(200);
      expect(await clusterSize(stack)).toBe(3);
    });
  });
});

async function addServer(stack: Stack): Promise<void> {
  const act = ['--by', 'test', '--note', 'test', '--yes'];
  const server = ['--id', '1', '--name', 'Harbour', '--address', 'game.example', '--port', '7001'];
  const gatehouse = ['exec', '-T', 'app1', 'node', 'dist/gatehouse.js', 'server'];
  await stack.compose(...gatehouse, 'add', ...server, ...act);
  await stack.compose(...gatehouse, 'open', '1', ...act);
}

async function register(stack: Stack): Promise<void> {
  const email = 'dockhand@mail.example';
  const sent = await stack.request(`${SERVICE}/api/send_code`, { email });
  expect(sent.status, sent.text).toBe(200);
  let code: string | undefined;
  await until(async () => {
    const [mail] = JSON.parse((await stack.request(MAILS)).text).messages;
    code = /\b\d{6}\b/.exec(mail?.Text)?.[0];
    return code !== undefined;
  });
  const form = { ...PLAYER, email, code, server_id: 1 };
  const registered = await stack.request(`${SERVICE}/api/register`, form);
  expect(registered.status, registered.text).toBe(200);
}

async function logIn(stack: Stack): Promise<number> {
  return (await stack.request(`${SERVICE}/api/login`, PLAYER)).status;
}

async function redis(stack: Stack, ...command: string[]): Promise<string> {
  return (await stack.compose('exec', '-T', 'redis1', 'redis-cli', ...command)).trim();
}

async function clusterSize(stack: Stack): Promise<number> {
  const client = ['mariadb', '--no-defaults', '-h', '127.0.0.1', '-u', 'haproxy', '-N', '-e'];
  const query = "SHOW STATUS LIKE 'wsrep_cluster_size'";
  const row = await stack.compose('exec', '-T', 'db1', ...client, query);
  return Number(row.trim().split(/\s+/)[1]);
}
