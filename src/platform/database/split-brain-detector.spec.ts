import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Environment } from '../config/environment.js';
import type { AccountDatabaseHosts } from './account-database-hosts.js';
import { SplitBrainDetector } from './split-brain-detector.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How often all hosts are looked at within two minutes. */
function looksAt(hosts: number): number {
  const look = vi.fn(async () => undefined);
  const rivals = new SplitBrainDetector(
    { accountDatabase: { hosts: Array.from({ length: hosts }) } } as unknown as Environment,
    { checkAll: look } as unknown as AccountDatabaseHosts,
    { registry: new Registry() },
  );
  rivals.onModuleInit();
  vi.advanceTimersByTime(120_000);
  rivals.onApplicationShutdown();
  expect(vi.getTimerCount()).toBe(0);
  return look.mock.calls.length;
}

describe('SplitBrainDetector', () => {
  it('checks all hosts twice a minute', () => {
    expect(looksAt(2)).toBe(4);
  });

  it('checks nothing with a single host', () => {
    expect(looksAt(1)).toBe(0);
  });
});
