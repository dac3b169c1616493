import { describe, expect, it } from 'vitest';
import { Environment } from '../../platform/config/environment.js';
import { DEFAULT_SETTINGS } from '../../platform/config/settings.schema.js';
import type { Settings } from '../../platform/config/settings.js';
import { MemoryCounterStore } from '../../platform/counters/memory-counter-store.js';
import type { Counters } from '../../platform/counters/counters.js';
import { SharedCounter } from '../../platform/counters/shared-counter.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LoginThrottled } from './accounts.errors.js';
import { LoginThrottle } from './login-throttle.js';
import { UnknownNameBuckets } from './unknown-name-buckets.js';

const MAX_KEYS = 20;
const environment = Object.assign(new Environment(), { JWT_SECRET: 's'.repeat(32) });
const { login_throttle } = DEFAULT_SETTINGS;

describe('LoginThrottle without Redis', () => {
  it('keeps a player locked and its memory bounded during a flood of invented names', async () => {
    const stores: MemoryCounterStore[] = [];
    const create = () => {
      stores.push(new MemoryCounterStore(MAX_KEYS));
      return new SharedCounter(stores.at(-1)!);
    };
    const settings = { current: { login_throttle } } as Settings;
    const throttle = new LoginThrottle(settings, { create } as unknown as Counters, new Metrics());
    const names = new UnknownNameBuckets(environment);
    const player = { subject: '#1', address: '198.51.100.1', spared: false };
    const { failures } = login_throttle.account_and_address;
    for (let guess = 0; guess < failures; guess++) await throttle.admit(player, false);

    for (let n = 0; n < 20 * MAX_KEYS; n++) {
      // Each address is in a /48 of its own, because the limit per network stops the others early.
      const address = `2001:${n.toString(16)}::1`;
      await throttle.admit(
        { subject: names.bucketOf(`invented-${n}`), address, spared: false },
        false,
      );
    }
    for (const store of stores) expect(store.size).toBeLessThanOrEqual(MAX_KEYS + 1);
    await expect(throttle.admit(player, true)).rejects.toBeInstanceOf(LoginThrottled);
  });
});
