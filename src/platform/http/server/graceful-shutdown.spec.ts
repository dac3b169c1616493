import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GracefulShutdown } from './graceful-shutdown.js';

afterEach(() => vi.useRealTimers());

describe('Graceful shutdown', () => {
  it('gives in-flight requests the full timeout when the system clock changes', async () => {
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

  it('keeps serving as long as a proxy may reuse a connection that it keeps open', async () => {
    const stop = new GracefulShutdown();
    const server = createServer((request, response) =>
      stop.middleware(request as Request, response as Response, () => response.end()),
    );
    stop.trackConnections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (agent: Agent | false) => {
      const [answer] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
      await once(answer.resume(), 'end');
      return answer.headers.connection;
    };
    const proxy = new Agent({ keepAlive: true });
    expect(await ask(proxy)).toBe('keep-alive');
    const drained = stop.drain(server);
    for (const agent of [false, proxy] as const) expect(await ask(agent)).toBe('close');
    await drained;
    await expect(ask(false)).rejects.toThrow('ECONNREFUSED');
  });
});
