import { describe, expect, it } from 'vitest';
import { MemoryCounterStore } from './memory-counter-store.js';
import type { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';
import { SharedCounter } from './counters.js';
import { RedisConnection } from './redis-connection.js';

const WINDOW = 60;
const newTally = () => new SharedCounter(new MemoryCounterStore());

describe('SharedCounter.undoAdd', () => {
  it('keeps what other callers have counted meanwhile', async () => {
    const tally = newTally();
    await tally.add('key', 1, WINDOW);
    await Promise.all([tally.undoAdd('key', 1, WINDOW), tally.add('key', 1, WINDOW)]);
    expect((await tally.add('key', 0, WINDOW)).count).toBe(1);
  });

  it('leaves no negative count after the window has ended', async () => {
    const tally = newTally();
    await tally.undoAdd('key', 1, WINDOW);
    expect((await tally.add('key', 1, WINDOW)).count).toBe(1);
  });
});

describe('RedisConnection.waitForFirstConnection', () => {
  it('ends as soon as the connection is refused', async () => {
    const environment = { REDIS_URL: 'redis://127.0.0.1:1', REDIS_PREFIX: 'test:' } as Environment;
    const redis = new RedisConnection(environment, new Metrics());
    const began = performance.now();
    await redis.waitForFirstConnection();
    expect(redis.downReason).toContain('ECONNREFUSED');
    expect(performance.now() - began).toBeLessThan(1900);
    redis.onApplicationShutdown();
  });
});
