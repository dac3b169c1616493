import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { describe, expect, it } from 'vitest';
import { SharedCounter } from '../../counters/shared-counter.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { SharedThrottlerStorage } from './shared-throttler.storage.js';

describe('RateLimitGuard', () => {
  it('admits a request that cannot be counted', async () => {
    const gone = () => Promise.reject(new Error('the primary does not answer'));
    const storage = new SharedThrottlerStorage(
      new SharedCounter({ add: gone, lock: gone, clear: gone, find: gone, release: gone }),
    );
    await expect(storage.increment('key', 60_000, 1)).rejects.toThrow('a count could not be read');

    const throttlers = [{ ttl: 60_000, limit: 0 }];
    const options = { throttlers, getTracker: () => 'key', generateKey: () => 'key' };
    const guard = new RateLimitGuard(options, storage, new Reflector());
    await guard.onModuleInit();
    const request = { context: { requestId: 'spec' } };
    const context = new ExecutionContextHost([request, {}], Object, () => undefined);
    expect(await guard.canActivate(context)).toBe(true);
  });
});
