import { expect, it } from 'vitest';
import type { Environment } from '../../../platform/config/environment.js';
import type { Settings } from '../../../platform/config/settings.js';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { MachineChecks } from './machine-checks.js';

it('MachineChecks reports why Redis cannot be used', async () => {
  const environment = { REDIS_URL: 'redis://127.0.0.1:1', REDIS_PREFIX: 'x:' } as Environment;
  const redis = new RedisConnection(environment, new Metrics());
  const checks = new MachineChecks(environment, {} as Settings, redis);
  expect(await checks.redisState()).toMatchObject([
    { state: 'wrong', text: expect.stringContaining('ECONNREFUSED') },
  ]);
  redis.onApplicationShutdown();
});
