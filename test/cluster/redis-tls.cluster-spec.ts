import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createThrottledInstance, PasswordGuesser, LIMIT } from '../support/api/guessing.js';
import { createCertificates } from '../support/servers/certificates.js';
import {
  createCluster,
  type Redis,
  redisTlsOptions,
  startRedis,
  startSentinels,
} from '../support/servers/redis.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

let folder: string;
let ca: string;
let tls: string[];
let servers: Redis[] = [];
let instances: Array<ReturnType<typeof createThrottledInstance>> = [];

const log: string[] = [];

beforeAll(() => {
  const keep = (line: string) => log.push(line);
  Logger.overrideLogger({ log: keep, warn: keep, error: keep });
  folder = temporaryFolder('tls');
  const certificates = createCertificates(folder);
  ({ ca } = certificates);
  tls = redisTlsOptions(certificates);
});
afterAll(() => {
  removeFolder(folder);
  Logger.overrideLogger(['error']);
});
afterEach(async () => {
  for (const instance of instances) instance.stop();
  for (const server of servers) await server.stop();
  [instances, servers] = [[], []];
});

async function started(...options: string[]): Promise<Redis> {
  const server = await startRedis([...tls, ...options]);
  servers.push(server);
  return server;
}

function instancesOn(...urls: string[]): PasswordGuesser {
  instances = urls.map((REDIS_URL) => createThrottledInstance({ REDIS_URL }));
  return new PasswordGuesser(instances);
}

describe('rediss:// with a private CA', () => {
  it('reaches a single server, and reports it as down if the CA is not configured', async () => {
    const url = `rediss://127.0.0.1:${(await started()).port}`;
    const pair = instancesOn(`${url}?ca=${ca}`, url);
    await until(async () => (await pair.states())[0] === 'up');
    await until(() => log.some((line) => /Redis is down: .*certificate/.test(line)));
    expect(await pair.states()).toEqual(['up', 'down']);
  });

  it('reaches sentinels and their master', async () => {
    const { port } = await started();
    const sentinels = await startSentinels(port, { downAfterMs: 2000, tls });
    const alone = instancesOn(`${sentinels.url}?ca=${ca}`);
    await until(() => alone.all('up'));
    expect(await alone.guesses('account', 2 * LIMIT)).toBe(LIMIT);
    await sentinels.stop();
  });

  it('reaches a cluster', async () => {
    const options = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes'];
    const nodes = [await started(...options), await started(...options), await started(...options)];
    const hosts = await createCluster(nodes, ['--tls', '--cacert', ca]);
    const alone = instancesOn(`rediss+cluster://${hosts}?ca=${ca}`);
    await until(() => alone.all('up'));
    expect(await alone.guesses('account', 2 * LIMIT)).toBe(LIMIT);
  });
});

describe('A REDIS_URL with an IPv6 address in brackets', () => {
  it('connects', async () => {
    const server = await startRedis(['--bind', '::1']);
    servers.push(server);
    const alone = instancesOn(`redis://[::1]:${server.port}`);
    await until(() => alone.all('up'));
  });
});
