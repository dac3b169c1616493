import type { ThrottlerStorage } from '@nestjs/throttler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '../config/settings.js';
import type { Counters } from '../counters/counters.js';
import { log } from '../log/log.js';
import { rateLimitOptions } from './rate-limit.js';

beforeAll(() => void (log.level = 'silent'));
afterAll(() => void (log.level = 'info'));

describe('the rate limit', () => {
  it('lets in who cannot be counted', async () => {
    const consume = () => Promise.reject(new Error('no answer from master in time'));
    const counters = { create: () => ({ consume }) } as unknown as Counters;
    const options = rateLimitOptions({} as Settings, counters) as { storage: ThrottlerStorage };
    const count = await options.storage.increment('address', 60_000, 1, 0, 'default');
    expect(count.isBlocked).toBe(false);
  });
});
