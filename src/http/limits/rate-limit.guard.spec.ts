import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { expect, it } from 'vitest';
import { LOCKED, Tally } from '../../counters/tally.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { TallyStorage } from './tally.storage.js';

it('lets a request in that cannot be counted', async () => {
  // Never connected, so that every count is lost.
  const storeClient = new Redis({ lazyConnect: true, enableOfflineQueue: false });
  const lost = {
    keyPrefix: 'spec',
    points: LOCKED,
    duration: 60,
    rejectIfRedisNotReady: true,
    storeClient,
  };
  const storage = new TallyStorage(new Tally(new RateLimiterRedis(lost)));
  await expect(storage.increment('key', 60_000, 1)).rejects.toThrow('a count could not be read');

  const throttlers = [{ ttl: 60_000, limit: 0 }];
  const options = { throttlers, getTracker: () => 'key', generateKey: () => 'key' };
  const guard = new RateLimitGuard(options, storage, new Reflector());
  await guard.onModuleInit();
  const request = { context: { requestId: 'spec' } };
  const context = new ExecutionContextHost([request, {}], Object, () => undefined);
  expect(await guard.canActivate(context)).toBe(true);
  storeClient.disconnect();
});
