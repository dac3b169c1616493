import { describe, expect, it } from 'vitest';
import { Environment } from '../../platform/config/environment.js';
import type { Settings } from '../../platform/config/settings.js';
import { DEFAULT_SETTINGS } from '../../platform/config/settings.schema.js';
import { type Counters, SharedCounter } from '../../platform/counters/counters.js';
import { MemoryCounterStore } from '../../platform/counters/memory-counter-store.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LoginThrottled } from './accounts.errors.js';
import { LoginThrottle, UnknownNameBuckets } from './login-throttle.js';

const MAX_KEYS = 20;
const environment = Object.assign(new Environment(), { JWT_SECRET: 's'.repeat(32) });
const { login_throttle } = DEFAULT_SETTINGS;

describe('LoginThrottle without Redis', () => {
  it('keeps a player locked within bounded memory during a flood of invented names', async () => {
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
      // Each address is in its own /48; otherwise the limit per network would stop the flood early.
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

const under = (secret: string) =>
  new UnknownNameBuckets(Object.assign(new Environment(), { JWT_SECRET: secret.repeat(32) }));

describe('UnknownNameBuckets', () => {
  it('spreads names over buckets 0 to 16 383', () => {
    const names = under('s');
    const buckets = new Set<number>();
    for (let name = 0; name < 2000; name++)
      buckets.add(Number(/^\?(\d+)$/.exec(names.bucketOf(`guess-${name}`))![1]));
    expect(buckets.size).toBeGreaterThan(1500);
    expect(Math.max(...buckets)).toBeGreaterThan(8192);
    expect(Math.max(...buckets)).toBeLessThan(16_384);
  });

  it('assigns a name to the same bucket on all instances, regardless of case and trailing spaces', () => {
    for (const spelling of ['Nobody', 'nobody ', 'NOBODY  '])
      expect(under('s').bucketOf(spelling)).toBe(under('s').bucketOf('nobody'));
  });

  it('assigns names to different buckets under a different secret', () => {
    const differ = ['a', 'b', 'c'].filter((n) => under('s').bucketOf(n) !== under('t').bucketOf(n));
    expect(differ).not.toEqual([]);
  });
});
