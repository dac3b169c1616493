import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { type Deployment, freshDeployment } from '../support/api/deployment.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import {
  createThrottledInstance,
  guessOverHttp,
  PasswordGuesser,
  LIMIT,
} from '../support/api/guessing.js';
import { HeldSentinel } from '../support/servers/held-sentinel.js';
import { askRedis, type Redis, startRedis, startSentinels } from '../support/servers/redis.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

const PASSWORD = 'of-the-servers-and-the-sentinels';
// docs/scaling.md recommends these values.
const DOWN_AFTER_MS = 2000;

let deployment: Deployment;
let master: Redis;
let replica: Redis;
let sentinels: Awaited<ReturnType<typeof startSentinels>>;
let settings: string;
let instances: Gatehouse[];
let guessing: PasswordGuesser;

const roleOf = async (port: number) =>
  (await askRedis(port, '-a', PASSWORD, '--no-auth-warning', 'ROLE')).split('\n')[0];

const countsIn = async (port: number) => {
  const found = await askRedis(
    port,
    '-a',
    PASSWORD,
    '--no-auth-warning',
    'KEYS',
    'gatehouse:login*',
  );
  return found.split('\n').filter(Boolean).length;
};

const instanceOn = (REDIS_URL: string) =>
  startGatehouse({
    ...deployment.env,
    SETTINGS_FILE: join(settings, 'settings.yaml'),
    REDIS_URL,
  });

beforeAll(async () => {
  deployment = await freshDeployment();
  const login = ['--requirepass', PASSWORD, '--masterauth', PASSWORD];
  master = await startRedis(login);
  replica = await startRedis([...login, '--replicaof', `127.0.0.1 ${master.port}`]);
  const linked = async () =>
    (await askRedis(replica.port, '-a', PASSWORD, '--no-auth-warning', 'ROLE')).includes(
      'connected',
    );
  await until(linked);
  sentinels = await startSentinels(master.port, { downAfterMs: DOWN_AFTER_MS, password: PASSWORD });
  // An election requires that the sentinels know each other and the replica.
  const known = async (port: number) => {
    const told = await askRedis(
      port,
      '-a',
      PASSWORD,
      '--no-auth-warning',
      'SENTINEL',
      'MASTER',
      'players',
    );
    return /num-slaves\n1\n/.test(told) && /num-other-sentinels\n2\n/.test(told);
  };
  for (const port of sentinels.ports) await until(() => known(port));
  settings = temporaryFolder('settings');
  // The test counts failed logins, so the request limit must not interfere.
  writeFileSync(join(settings, 'settings.yaml'), 'rate_limit: { per_minute: 1000000 }');
  instances = await Promise.all([instanceOn(sentinels.url), instanceOn(sentinels.url)]);
  guessing = new PasswordGuesser(instances.map(guessOverHttp));
  await until(() => guessing.all('up'));
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  removeFolder(settings);
  await sentinels.stop();
  await master.stop();
  await replica.stop();
  await deployment.drop();
});

const AUTH = ['-a', PASSWORD, '--no-auth-warning'];

const knowsReplica = async (sentinel: number) =>
  (await askRedis(sentinel, ...AUTH, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'players')).includes(
    String(replica.port),
  );

/**
 * Waits for the last announcement, because a late sentinel announces the new master again and instances reconnect.
 */
async function untilFailoverIsOver(): Promise<void> {
  await until(async () => (await Promise.all(sentinels.ports.map(knowsReplica))).every(Boolean));
  await until(() => guessing.all('up'));
}

describe('Two instances behind three sentinels', () => {
  it('share their counters', async () => {
    expect(await guessing.guesses('before', 4 * LIMIT)).toBe(LIMIT);
  });

  it('count every guess while the master is down, and share counters again after the failover', async () => {
    // All guesses go to one instance because the other one does not know about them yet.
    for (let guess = 0; guess < LIMIT - 1; guess++)
      expect(await guessing.guess(0, 'during')).toBe(true);

    await master.kill();
    let letIn = LIMIT - 1;
    let isLost = false;
    // Sentinels with a split vote repeat the election after 10 s.
    await until(async () => {
      letIn += await guessing.guesses('during', 2);
      isLost ||= await guessing.all('down');
      return isLost && (await guessing.all('up'));
    });
    letIn += await guessing.guesses('during', 4 * LIMIT);
    expect(letIn).toBeLessThanOrEqual(2 * LIMIT);
    await untilFailoverIsOver();
    expect(await guessing.guesses('after', 4 * LIMIT)).toBe(LIMIT);
    expect(await roleOf(replica.port)).toBe('master');
    for (const { process } of instances)
      await process.waitForLine(/Redis is down: .*(Connection is closed|ECONN)/);
  });

  it('stay with the new master when the old one returns as a replica', async () => {
    await untilFailoverIsOver();
    await master.restart();
    let letIn = 0;
    // The old master returns as a master until the sentinels demote it.
    await until(async () => {
      letIn += await guessing.guesses('returned', 2);
      expect(await guessing.states()).toEqual(['up', 'up']);
      return (await roleOf(master.port)) === 'slave';
    });
    letIn += await guessing.guesses('returned', 4 * LIMIT);
    expect(letIn).toBe(LIMIT);
  });

  it('never use the old master while it is a replica', async () => {
    const url = `redis://:${PASSWORD}@127.0.0.1:${master.port}`;
    const instance = await instanceOn(url);
    try {
      const alone = new PasswordGuesser([guessOverHttp(instance)]);
      await instance.process.waitForLine(/Redis is down: .*READONLY/);
      const before = await countsIn(replica.port);
      for (let look = 0; look < 30; look++) {
        expect(await alone.states()).toEqual(['down']);
        await alone.guess(0, 'elsewhere');
      }
      // Each reason is logged once, not each attempt. On a busy machine a timeout is an additional reason.
      expect(instance.logs().match(/Redis is down/g)!.length).toBeLessThan(10);
      expect(instance.logs()).not.toContain('Redis is up');
      expect(await countsIn(replica.port)).toBe(before);
      const metrics = await new Client(instance.url).get('/api/metrics');
      expect(metrics.text).toContain('gatehouse_redis_up 0');
    } finally {
      await instance.stop();
    }
  });

  it('follow a planned failover', async () => {
    expect(await askRedis(sentinels.ports[0]!, ...AUTH, 'SENTINEL', 'FAILOVER', 'players')).toBe(
      'OK',
    );
    let letIn = 0;
    await until(async () => {
      letIn += await guessing.guesses('switched', 2);
      return (await roleOf(master.port)) === 'master' && (await guessing.all('up'));
    });
    letIn += await guessing.guesses('switched', 4 * LIMIT);
    expect(letIn).toBeLessThanOrEqual(2 * LIMIT);
    await until(
      async () => (await guessing.guesses(`switched-${Date.now()}`, 4 * LIMIT)) === LIMIT,
    );
  });
});

describe('An instance that queries a sentinel for the master', () => {
  it('finds the new master if a failover is announced meanwhile', async () => {
    const [old, next] = await Promise.all([startRedis(), startRedis()]);
    const sentinel = await HeldSentinel.start(old.port);
    const instance = createThrottledInstance({ REDIS_URL: sentinel.url });
    const alone = new PasswordGuesser([instance]);
    await until(async () => sentinel.isSubscribed && (await alone.all('up')));
    const asked = sentinel.hold();
    await old.kill();
    await asked;
    sentinel.switchTo(next.port);
    // The instance gets the response only after it has read the announcement.
    await until(() => !sentinel.isSubscribed);
    sentinel.answer();
    await until(() => alone.all('up'));
    instance.stop();
    await Promise.all([sentinel.stop(), old.stop(), next.stop()]);
  });
});
