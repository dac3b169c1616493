import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GracefulShutdown } from '../../src/platform/http/server/graceful-shutdown.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { type CapturedLog, captureLog } from '../support/api/captured-log.js';
import { until } from '../support/until.js';

let service: TestApp;
let captured: CapturedLog;

beforeAll(async () => {
  service = await startApp();
});
beforeEach(() => (captured = captureLog()));
afterEach(() => captured.release());
afterAll(() => service.stop());

const server = (): Server => service.app.getHttpServer();
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function connection(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const openConnections = () =>
  new Promise<number>((resolve, reject) =>
    server().getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

describe('pipelined requests whose connection closes early', () => {
  it('are forgotten, and each is logged as aborted', async () => {
    const { unanswered } = service.app.get<
      GracefulShutdown,
      { unanswered: Map<Socket, Set<object>> }
    >(GracefulShutdown);
    const seen: object[] = [];
    server().on('request', (_request, response: object) => seen.push(response));
    for (let round = 0; round < 60; round++) {
      const socket = await connection();
      socket.write(get('/api/server/list').repeat(20), () => socket.resetAndDestroy());
    }
    await until(async () => (await openConnections()) === 0);
    expect(seen.length).toBeGreaterThan(60);
    expect([...unanswered.values()].flatMap((pending) => [...pending])).toEqual([]);
    expect(unanswered.size).toBe(0);
    await until(() => captured.requests.length === seen.length);
    expect(captured.requests.filter(({ aborted }) => aborted).length).toBeGreaterThan(60);
  });
});

describe('a client that does not read its answers', () => {
  it('is cut off when nothing has moved for 30 seconds, and one that reads slowly is not', async () => {
    expect(server().timeout).toBe(30_000);
    server().timeout = 1000;
    const { length } = (await service.client.get('/api/openapi.json')).text;
    // More than the kernel buffers for a connection.
    const request = get('/api/openapi.json').repeat(Math.ceil(20_000_000 / length));
    const idle = await openConnections();
    const [deaf, slow] = [await connection(), await connection()];
    for (const socket of [deaf, slow]) socket.pause().write(request);
    let read = 0;
    const sips = setInterval(() => (read += (slow.read() as Buffer | null)?.length ?? 0), 200);
    await until(async () => (await openConnections()) <= idle + 1);
    expect(slow.destroyed).toBe(false);
    const before = read;
    await until(() => read > before);
    clearInterval(sips);
    for (const socket of [deaf, slow]) socket.destroy();
    server().timeout = 30_000;
  });
});
