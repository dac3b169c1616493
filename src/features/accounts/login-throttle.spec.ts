import { describe, expect, it } from 'vitest';
import { heapInUse } from '../../../test/support/heap.js';
import { Environment } from '../../platform/config/environment.js';
import { DEFAULT_SETTINGS } from '../../platform/config/settings.schema.js';
import type { Settings } from '../../platform/config/settings.js';
import { Counters } from '../../platform/counters/counters.js';
import { RedisConnection } from '../../platform/counters/redis-connection.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LoginThrottled } from './accounts.errors.js';
import { LoginThrottle } from './login-throttle.js';
import { UnknownNameBuckets } from './unknown-name-buckets.js';

const environment = Object.assign(new Environment(), { JWT_SECRET: 's'.repeat(32) });

const login_throttle = {
  // A lock that lasts longer than the flood takes.
  account_and_address: { failures: 5, window: 900, lock: 900, max_lock: 900 },
  address: DEFAULT_SETTINGS.login_throttle.address,
  account: DEFAULT_SETTINGS.login_throttle.account,
};

describe('failed logins without Redis', () => {
  it('with 110 000 invented names from as many addresses leave the heap flat, and a locked player locked', async () => {
    const metrics = new Metrics();
    const counters = new Counters(new RedisConnection(environment, metrics));
    const throttle = new LoginThrottle(
      { current: { login_throttle } } as Settings,
      counters,
      metrics,
    );
    const names = new UnknownNameBuckets(environment);
    const player = { subject: '#1', address: '198.51.100.1', spared: false };
    for (let guess = 0; guess < 5; guess++) await throttle.admit(player, false);

    const flood = async (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        // Each in a /48 of its own: of one network only the first few hundred get as far as the counters.
        const address = `2001:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;
        const subject = names.bucketOf(`invented-${n}`);
        await throttle.admit({ subject, address, spared: false }, false).catch(isThrottled);
      }
    };
    // By now each table is full.
    await flood(0, 50_000);
    const before = heapInUse();
    await flood(50_000, 110_000);
    // Unbounded, it grows by 50 MB.
    expect(heapInUse() - before).toBeLessThan(15);
    await expect(throttle.admit(player, true)).rejects.toBeInstanceOf(LoginThrottled);
  }, 120_000);
});

function isThrottled(error: unknown): void {
  expect(error).toBeInstanceOf(LoginThrottled);
}
