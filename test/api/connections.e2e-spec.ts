import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Public } from '../../src/platform/auth/auth.decorators.js';
import { GracefulShutdown } from '../../src/platform/http/server/graceful-shutdown.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { type CapturedLog, captureLog } from '../support/api/captured-log.js';
import { until } from '../support/until.js';

const ROUNDS = 5;
const QUEUED = 6;
const MAX_IN_FLIGHT = 8;
let release: () => void;
let released: Promise<void>;
const hold = () => {
  released = new Promise<void>((resolve) => (release = resolve));
};
hold();
let service: TestApp;
let captured: CapturedLog;

@Controller('held')
class HeldController {
  @Get()
  @Public()
  async hold(): Promise<object> {
    await released;
    return {};
  }
}

@Module({ controllers: [HeldController] })
class HeldModule {}

beforeAll(async () => {
  service = await startApp({ extraModules: [HeldModule] });
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

describe('The HTTP server', () => {
  it('drops the pipelined requests of a closed connection and logs each as aborted', async () => {
    const { unanswered } = service.app.get<
      GracefulShutdown,
      { unanswered: Map<Socket, Set<object>> }
    >(GracefulShutdown);
    const seen: ServerResponse[] = [];
    server().on('request', (_request, response: ServerResponse) => seen.push(response));
    for (let round = 1; round <= ROUNDS; round++) {
      const socket = await connection();
      // The first request is served, the second hangs, and the others wait behind it.
      const list = get('/api/server/list');
      const firstAnswer = once(socket, 'data');
      socket.write(list + get('/api/held') + list.repeat(QUEUED));
      await firstAnswer;
      await until(() => seen.length === round * (QUEUED + 2));
      socket.resetAndDestroy();
    }
    await until(() => captured.requests.length === seen.length);
    release();
    expect(captured.requests.filter(({ aborted }) => aborted)).toHaveLength(ROUNDS * (QUEUED + 1));
    expect([...unanswered.values()].flatMap((pending) => [...pending])).toEqual([]);
    expect(unanswered.size).toBe(0);
  });

  it('starts eight pipelined requests on a connection and stops reading until they are finished', async () => {
    const { unanswered } = service.app.get<
      GracefulShutdown,
      { unanswered: Map<Socket, Set<object>> }
    >(GracefulShutdown);
    let requests = 0;
    server().on('request', () => requests++);
    const accepted = once(server(), 'connection') as Promise<[Socket]>;
    const client = await connection();
    const [socket] = await accepted;
    hold();
    client.write(get('/api/held').repeat(100));
    await until(() => requests === 100);
    expect(unanswered.get(socket)?.size).toBe(MAX_IN_FLIGHT);
    expect(socket.isPaused()).toBe(true);
    expect((await service.client.get('/api/server/list')).status).toBe(200);

    let answers = '';
    client.on('data', (data) => (answers += String(data)));
    release();
    await until(() => answers.split('HTTP/1.1 200').length === 101);
    const body = '{"account":"x"}';
    client.write(
      `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    client.write(body);
    await until(() => answers.includes('HTTP/1.1 400'));
    client.destroy();
  });

  it('closes the connection of a client that does not read its responses for 30 s', async () => {
    expect(server().timeout).toBe(30_000);
    const { length } = (await service.client.get('/api/openapi.json')).text;
    server().timeout = 200;
    const accepted = once(server(), 'connection') as Promise<[Socket]>;
    const client = await connection();
    const [socket] = await accepted;
    const closed = once(socket, 'close');
    // The responses exceed what the kernel buffers for a connection.
    client.pause().write(get('/api/openapi.json').repeat(Math.ceil(20_000_000 / length)));
    await closed;
    client.destroy();
    server().timeout = 30_000;
  });
});
