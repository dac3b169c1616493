import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GracefulShutdown } from './graceful-shutdown.js';

afterEach(() => vi.useRealTimers());

describe('Graceful shutdown', () => {
  it('gives requests in flight the same time when the system clock changes', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = new GracefulShutdown();
    const drained = stop.drain(server);
    const now = Date.now();
    for (const hours of [-1, 1]) {
      vi.useFakeTimers({ toFake: ['Date'], now: now + hours * 3_600_000 });
      expect(stop.timeLeft).toBeLessThanOrEqual(15_000);
      expect(stop.timeLeft).toBeGreaterThan(5000);
    }
    await drained;
  });
});
