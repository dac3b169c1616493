import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createThrottledInstance, PasswordGuesser, LIMIT } from '../support/api/guessing.js';
import { askRedis, createCluster, type Redis, startRedis } from '../support/servers/redis.js';
import { until } from '../support/until.js';

// docs/scaling.md grants these permissions.
const NEEDED = '+@connection +info +eval +evalsha +get +set +incrby +pttl +expire +del'.split(' ');
const NEEDED_IN_CLUSTER = ['+cluster|slots', '+cluster|info', '+readonly'];
const NEW_USER = ['ACL', 'SETUSER', 'gate', 'on', '>p@ss', '~gatehouse:*'];

let servers: Redis[] = [];
let instances: Array<ReturnType<typeof createThrottledInstance>> = [];
let log: string[] = [];

beforeEach(() => {
  log = [];
  const keep = (line: string) => log.push(line);
  Logger.overrideLogger({ log: keep, warn: keep, error: keep });
});
afterEach(async () => {
  for (const instance of instances) instance.stop();
  for (const server of servers) await server.stop();
  [instances, servers] = [[], []];
  Logger.overrideLogger(['error']);
});

async function started(...args: Parameters<typeof startRedis>): Promise<Redis> {
  const server = await startRedis(...args);
  servers.push(server);
  return server;
}

function instancesOn(...urls: string[]): PasswordGuesser {
  instances = urls.map((REDIS_URL) => createThrottledInstance({ REDIS_URL }));
  return new PasswordGuesser(instances);
}

const logged = (pattern: RegExp) => until(() => log.some((line) => pattern.test(line)));

const keysIn = async ({ port }: Redis) =>
  (await askRedis(port, 'KEYS', '*')).split('\n').filter(Boolean);

const statsOf = ({ port }: Redis) => askRedis(port, 'INFO', 'commandstats');

describe('A Redis that loses its data', () => {
  it("allows no more guesses than each instance's own limit", async () => {
    const redis = await started();
    const pair = instancesOn(redis.url, redis.url);
    await until(() => pair.all('up'));
    let letIn = 0;
    for (let guess = 0; guess < LIMIT - 1; guess++) if (await pair.guess(0, 'account')) letIn++;
    expect(letIn).toBe(LIMIT - 1);
    await redis.kill();
    await until(() => pair.all('down'));
    // The first instance has counted four guesses, the second none.
    letIn += await pair.guesses('account', 4 * LIMIT);
    expect(letIn).toBe(2 * LIMIT);
    await redis.restart();
    await until(() => pair.all('up'));
    letIn += await pair.guesses('account', 4 * LIMIT);
    expect(letIn).toBe(2 * LIMIT);
  });

  it('receives what was counted during its outage when it is back', async () => {
    const redis = await started();
    const pair = instancesOn(redis.url, redis.url);
    await until(() => pair.all('up'));
    await redis.kill();
    await until(() => pair.all('down'));
    for (let guess = 0; guess < LIMIT - 1; guess++) await pair.guess(0, 'account');
    await redis.restart();
    await until(() => pair.all('up'));
    // The fifth failure at the first instance also locks the account at the second one.
    expect(await pair.guess(0, 'account')).toBe(true);
    expect(await pair.guess(1, 'account')).toBe(false);
  });
});

describe('A successful login at one instance', () => {
  it('is not undone by failures that another instance counted earlier', async () => {
    const redis = await started();
    const pair = instancesOn(redis.url, redis.url);
    const [first, second] = instances as [(typeof instances)[0], (typeof instances)[0]];
    await until(() => pair.all('up'));
    for (let round = 0; round < 3; round++) {
      for (let guess = 0; guess < LIMIT - 1; guess++)
        expect(await second.guess('account', '198.51.100.9')).toBe(true);
      await first.succeed('account', '198.51.100.9');
    }
  });
});

describe('A Redis that responds but accepts no writes', () => {
  it('is never reported as up if it is a replica', async () => {
    const master = await started();
    const replica = await started(['--replicaof', `127.0.0.1 ${master.port}`]);
    const alone = instancesOn(replica.url);
    await logged(/Redis is down: .*READONLY.* Counters/);
    // The replica rejects the write of every probe.
    await until(async () => {
      expect(await alone.states()).toEqual(['down']);
      const [, failed] = /evalsha:.*failed_calls=(\d+)/.exec(await statsOf(replica)) ?? [];
      return Number(failed) >= 10;
    });
    expect(log.join()).not.toContain('Redis is up');
    // Once promoted, the replica is used without a restart.
    await askRedis(replica.port, 'REPLICAOF', 'NO', 'ONE');
    await until(() => alone.all('up'));
    await logged(/Redis is up: counters are shared/);
  });

  it('is reported as down while it has too few replicas', async () => {
    const redis = await started(['--min-replicas-to-write', '1']);
    const alone = instancesOn(redis.url);
    await logged(/Redis is down: .*NOREPLICAS/);
    expect(await alone.states()).toEqual(['down']);
    expect(await alone.guesses('account', 2 * LIMIT)).toBe(LIMIT);
  });

  it('is reported as down until its user has the necessary permissions', async () => {
    const redis = await started();
    await askRedis(redis.port, ...NEW_USER, '+@connection', '+info', '+@read');
    const alone = instancesOn(`redis://gate:p%40ss@127.0.0.1:${redis.port}`);
    await logged(/Redis is down: NOPERM.*evalsha/i);
    expect(await alone.states()).toEqual(['down']);
    await askRedis(redis.port, ...NEW_USER, '-@all', ...NEEDED);
    await until(() => alone.all('up'));
    expect(await alone.guesses('account', 2 * LIMIT)).toBe(LIMIT);
    expect(log.join()).not.toContain('p@ss');
  });

  it('is reported as down if the password is wrong', async () => {
    const redis = await started(['--requirepass', 'right']);
    const alone = instancesOn(`redis://:wrong@127.0.0.1:${redis.port}`);
    await logged(/Redis is down: .*(WRONGPASS|invalid password)/);
    expect(await alone.states()).toEqual(['down']);
  });
});

describe('Redis Cluster', () => {
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'];

  it('spreads the counters over its masters, and is reported as down while one is lost', async () => {
    const nodes = [await started(options), await started(options), await started(options)];
    const hosts = await createCluster(nodes);
    const grant = ({ port }: Redis) => askRedis(port, ...NEW_USER, ...NEEDED, ...NEEDED_IN_CLUSTER);
    for (const node of nodes) await grant(node);
    const url = `redis+cluster://gate:p%40ss@${hosts}`;
    const pair = instancesOn(url, url);
    await until(() => pair.all('up'));
    const accounts = Array.from({ length: 12 }, (_, number) => `account-${number}`);
    for (const account of accounts) expect(await pair.guesses(account, 2 * LIMIT)).toBe(LIMIT);
    for (const node of nodes) expect((await keysIn(node)).length).toBeGreaterThan(0);

    await nodes[2]!.kill();
    await until(() => pair.all('down'));
    expect(await pair.guesses('alone', 4 * LIMIT)).toBe(2 * LIMIT);
    for (const account of accounts) expect(await pair.guesses(account, 2 * LIMIT)).toBe(0);
    await nodes[2]!.restart();
    await logged(/Redis is down: .*(WRONGPASS|invalid password)/);
    await grant(nodes[2]!);
    await until(() => pair.all('up'));
    expect(await pair.guesses('together', 4 * LIMIT)).toBe(LIMIT);
  });

  it('is reported as down while a master hangs', async () => {
    const nodes = [await started(options), await started(options), await started(options)];
    const alone = instancesOn(`redis+cluster://${await createCluster(nodes)}`);
    await until(() => alone.all('up'));
    nodes[1]!.pause();
    await logged(/Redis is down: it did not answer within 500 ms/);
    expect(await alone.guesses('account', 2 * LIMIT)).toBe(LIMIT);
    nodes[1]!.resume();
    await until(() => alone.all('up'));
    expect(await alone.guesses('account', LIMIT)).toBe(0);
  });

  it('is distinguished from a single server', async () => {
    const [single, node] = [await started(), await started(options)];
    const wrong = instancesOn(`redis+cluster://127.0.0.1:${single.port}`, node.url);
    await logged(/Redis is down: .*cluster support disabled/);
    await logged(/Redis is down: .*CLUSTERDOWN/);
    expect(await wrong.states()).toEqual(['down', 'down']);
  });
});

describe('REDIS_PREFIX', () => {
  it('separates two deployments on one Redis', async () => {
    const redis = await started();
    const env = { REDIS_URL: redis.url };
    instances = [
      createThrottledInstance(env),
      createThrottledInstance({ ...env, REDIS_PREFIX: 'other:' }),
    ];
    const guessing = new PasswordGuesser(instances);
    await until(() => guessing.all('up'));
    for (let guess = 0; guess < LIMIT; guess++) await guessing.guess(0, 'account');
    expect(await guessing.guess(0, 'account')).toBe(false);
    expect(await guessing.guess(1, 'account')).toBe(true);
    const keys = await keysIn(redis);
    expect(new Set(keys.map((key) => key.split(':')[0]))).toEqual(new Set(['gatehouse', 'other']));
  });
});
