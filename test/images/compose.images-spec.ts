import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { docker, request, Stack, startEngine, stopEngine, writeEnv } from './docker-engine.js';

const IMAGE = 'gatehouse';
const SANDBOX = 'gatehouse-sandbox';
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
/** The image of the running release and the image that it is upgraded to differ only in their commits. */
const RUNNING = '1111111';
const NEXT = '2222222';
const MAX_BYTES = 250_000_000;
/** Allows for a first run, which creates the engine and its images and downloads all packages. */
const LIMIT = 30 * 60_000;

describe('The Docker images', { timeout: LIMIT }, () => {
  beforeAll(async () => {
    await startEngine();
    await docker(
      'build',
      '--quiet',
      '--build-arg',
      `GATEHOUSE_COMMIT=${RUNNING}`,
      '-t',
      IMAGE,
      '.',
    );
  }, LIMIT);
  afterAll(stopEngine, LIMIT);

  describe('built from Dockerfile', () => {
    afterAll(async () => void (await docker('rm', '--force', '--volumes', SANDBOX)), LIMIT);

    it('are small, with an unprivileged user, a health check and labels', async () => {
      const [{ Size, Config }] = JSON.parse(await docker('image', 'inspect', IMAGE));
      expect(Size).toBeLessThan(MAX_BYTES);
      expect(Config).toMatchObject({ User: 'node', Healthcheck: { Test: expect.any(Array) } });
      expect(Config.Labels).toMatchObject({
        'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
        'org.opencontainers.image.revision': RUNNING,
        'org.opencontainers.image.licenses': expect.any(String),
      });
    });

    it('contain a list of the packages of the service and its pages', async () => {
      const sbom = JSON.parse(await docker('run', '--rm', IMAGE, 'cat', 'sbom.json'));
      const names = sbom.components.map(({ name }: { name: string }) => name);
      expect(sbom.bomFormat).toBe('CycloneDX');
      expect(names).toEqual(expect.arrayContaining(['express', 'typeorm', 'smtp-server', 'vue']));
    });

    it('refuse to start without DATABASE_URL, instead of opening the sandbox', async () => {
      await expect(docker('run', '--rm', IMAGE)).rejects.toThrow('DATABASE_URL must be set');
    });

    it('start the sandbox if NODE_ENV is development', async () => {
      const variable = ['-e', 'NODE_ENV=development'];
      await docker('run', '-d', '--name', SANDBOX, '-p', '127.0.0.1:3001:3001', ...variable, IMAGE);
      const state = ['inspect', '--format', '{{.State.Health.Status}}', SANDBOX];
      await until(async () => (await docker(...state)).trim() === 'healthy');
      const [list, mailbox] = [`${SERVICE}/api/server/list`, `${SERVICE}/sandbox/mail`];
      expect((await request(list)).text).toContain('Dragon Valley');
      expect((await request(mailbox)).text).toContain('No mail yet');
    });
  });

  describe('in docker-compose.yml', () => {
    const stack = new Stack('docker-compose.yml');

    beforeAll(async () => {
      writeEnv(SECRETS);
      await stack.compose('down', '--volumes');
      await stack.up();
      await addServer(stack);
      await register();
    }, LIMIT);
    afterAll(async () => stack.compose('down', '--volumes'), LIMIT);

    it('log in a player who registered through nginx with a code from the mail catcher', async () => {
      expect(await logIn()).toBe(200);
    });

    it('serve the desk and the API documentation', async () => {
      for (const url of [DESK, `${SERVICE}/api/docs/swagger-ui-bundle.js`])
        expect((await request(url)).status, url).toBe(200);
    });

    it('give instances a read-only file system', async () => {
      const write = stack.compose('exec', '-T', 'app1', 'touch', 'data/file');
      await expect(write).rejects.toThrow('Read-only file system');
    });

    it('log players in while one instance is down', async () => {
      await stack.compose('kill', 'app1');
      for (const _ of Array(4)) expect(await logIn()).toBe(200);
    });

    it('can be upgraded and rolled back as documented without a failed login', async () => {
      await upgradeAndGoBack(stack);
    });

    it('stop with every container on down, and keep their players for the next up', async () => {
      await stack.compose('down');
      expect(await stack.compose('ps', '--all', '--quiet')).toBe('');
      await stack.up();
      expect(await logIn()).toBe(200);
    });

    it('fail to start with the unchanged .env.example', async () => {
      writeEnv();
      await expect(stack.compose('up', '--wait')).rejects.toThrow(/(MARIADB|REDIS)_PASSWORD/);
      writeEnv(SECRETS);
    });
  });

  describe('in docker-compose.cluster.yml', () => {
    const stack = new Stack('docker-compose.cluster.yml');

    beforeAll(async () => {
      writeEnv(SECRETS);
      await stack.compose('down', '--volumes');
      await stack.up();
      await addServer(stack);
      await register();
    }, LIMIT);
    afterAll(async () => stack.compose('down', '--volumes'), LIMIT);

    it('keep the counters when the Redis master restarts', async () => {
      await redis(stack, 'set', 'probe', 'kept');
      await stack.compose('restart', 'redis1');
      await until(async () => (await redis(stack, 'get', 'probe')) === 'kept');
    });

    it('log players in again after the database node in use was killed', async () => {
      await stack.compose('kill', 'db1');
      await until(async () => (await logIn()) === 200, { within: 60_000 });
    });

    it('serve the same players after a full restart with db1 down', async () => {
      await stack.compose('down');
      await stack.up();
      expect(await logIn()).toBe(200);
      expect(await clusterSize(stack)).toBe(3);
    });

    it('serve the same players after a restart of all three database nodes', async () => {
      await stack.compose('down');
      await stack.up();
      expect(await logIn()).toBe(200);
      expect(await clusterSize(stack)).toBe(3);
    });
  });
});

/** Runs the commands of "Upgrade" in docs/operations.md while a player logs in again and again. */
async function upgradeAndGoBack(stack: Stack): Promise<void> {
  let isDone = false;
  const statuses: number[] = [];
  // The pause keeps the player below the limit of requests per minute.
  const logins = until(
    async () => {
      statuses.push(await logIn());
      return isDone;
    },
    { within: LIMIT, every: 300 },
  );
  try {
    await docker('tag', IMAGE, `${IMAGE}:before`);
    await stack.compose('build', '--build-arg', `GATEHOUSE_COMMIT=${NEXT}`);
    await stack.compose('stop', 'app1');
    await stack.compose('run', '--rm', 'app1', 'node', 'dist/gatehouse.js', 'migrate');
    await replace(stack, 'app1', 'app2');
    expect(await commitOf(stack, 'app1', 'app2')).toEqual([NEXT, NEXT]);
    await docker('tag', `${IMAGE}:before`, IMAGE);
    await replace(stack, 'app1');
    expect(await commitOf(stack, 'app1', 'app2')).toEqual([RUNNING, NEXT]);
  } finally {
    isDone = true;
    await logins;
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(10);
}

async function replace(stack: Stack, ...instances: string[]): Promise<void> {
  for (const instance of instances)
    await stack.compose('up', '-d', '--wait', '--no-deps', instance);
}

async function commitOf(stack: Stack, ...instances: string[]): Promise<string[]> {
  const commits = instances.map(async (instance) => {
    const text = await stack.compose('exec', '-T', instance, 'cat', 'dist/build-info.json');
    return (JSON.parse(text) as { commit: string }).commit;
  });
  return Promise.all(commits);
}

async function addServer(stack: Stack): Promise<void> {
  const act = ['--by', 'test', '--note', 'test', '--yes'];
  const server = ['--id', '1', '--name', 'Harbour', '--address', 'game.example', '--port', '7001'];
  const gatehouse = ['exec', '-T', 'app1', 'node', 'dist/gatehouse.js', 'server'];
  await stack.compose(...gatehouse, 'add', ...server, ...act);
  await stack.compose(...gatehouse, 'open', '1', ...act);
}

async function register(): Promise<void> {
  const email = 'dockhand@mail.example';
  const sent = await request(`${SERVICE}/api/send_code`, { email });
  expect(sent.status, sent.text).toBe(200);
  let code: string | undefined;
  await until(async () => {
    const [mail] = JSON.parse((await request(MAILS)).text).messages;
    code = /\b\d{6}\b/.exec(mail?.Text)?.[0];
    return code !== undefined;
  });
  const form = { ...PLAYER, email, code, server_id: 1 };
  const registered = await request(`${SERVICE}/api/register`, form);
  expect(registered.status, registered.text).toBe(200);
}

async function logIn(): Promise<number> {
  return (await request(`${SERVICE}/api/login`, PLAYER)).status;
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
