import { once } from 'node:events';
import { connect } from 'node:net';
import { Controller, Get, HttpCode, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Public } from '../../src/platform/auth/auth.decorators.js';
import { LoadShedding } from '../../src/platform/http/limits/load-shedding.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { type CapturedLog, captureLog } from '../support/api/captured-log.js';
import { rawRequest } from '../support/api/raw-request.js';
import { until } from '../support/until.js';

// Fewer requests never count as an overload.
const CROWD = 256;
const BEGINS = 'overload: turning requests away';
let letGo: () => void;
const held = new Promise<void>((resolve) => (letGo = resolve));
let arrived = 0;

/** This route responds once `letGo` is called. */
@Controller('held')
class HeldController {
  @Get()
  @Public()
  @HttpCode(200)
  async hold(): Promise<object> {
    arrived++;
    await held;
    return {};
  }
}

@Module({ controllers: [HeldController] })
class HeldModule {}

let service: TestApp;
let captured: CapturedLog;

beforeAll(async () => {
  service = await startApp({
    extraModules: [HeldModule],
    settings: { rate_limit: { per_minute: 1_000_000 } },
  });
  captured = captureLog();
});
afterAll(async () => {
  captured.release();
  await service.stop();
});

const check = () => service.client.get('/api/check?account=nobody&token=x');
const inLog = (message: string) => captured.lines.filter(({ msg }) => msg === message);

async function turnedAway(of: string): Promise<number> {
  const { text } = await service.client.get('/api/metrics');
  const line = new RegExp(`^gatehouse_turned_away_total\\{class="${of}"\\} (\\d+)$`, 'm');
  return Number(line.exec(text)?.[1]);
}

/** Replaces the timer that measures event loop lag. */
function takeOverTimer() {
  const shedding = service.app.get<
    LoadShedding,
    { timer: NodeJS.Timeout; lastTick: number; tick(now: number): void }
  >(LoadShedding);
  clearInterval(shedding.timer);
  return (milliseconds: number) => shedding.tick(shedding.lastTick + milliseconds);
}

/** Returns the response to a login request that never sends its body. */
async function refusedBeforeItsBody(): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write('POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}

describe('LoadShedding', () => {
  it('stops counting pipelined requests when their connection closes', async () => {
    const { inProgress } = service.app.get<LoadShedding, { inProgress: { here: number } }>(
      LoadShedding,
    );
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write('GET /api/held HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(8));
    await until(() => inProgress.here === 8);
    socket.resetAndDestroy();
    await until(() => inProgress.here === 0);
    await until(() => arrived === 8);
    arrived = 0;
  });

  it('rejects new requests under overload, finishes admitted ones, and recovers', async () => {
    for (const of of ['begun', 'game', 'login', 'other']) expect(await turnedAway(of)).toBe(0);
    expect((await check()).status).toBe(401);
    // This precedes the crowd because the real timer might detect an overload on a busy machine.
    const tickAfter = takeOverTimer();
    const crowd = Array.from({ length: CROWD }, () => rawRequest(service.url, '/api/held'));
    await until(() => arrived === CROWD);
    const { text } = await service.client.get('/api/metrics');
    expect(text).toContain(`gatehouse_requests_under_way{waits="here"} ${CROWD}\n`);

    // Two late samples lower the limit, and the first one may end a window that the real timer began.
    for (let tick = 0; tick < 3; tick++) tickAfter(200);
    const refused = await check();
    expect(refused.body).toMatchObject({ error: 'service_unavailable', code: 50302 });
    expect(refused.headers.get('retry-after')).toMatch(/^[12]$/);
    expect(refused.body.retry_after).toBe(Number(refused.headers.get('retry-after')));
    expect(refused.headers.get('x-request-id')).toBe(refused.body.request_id);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    for (const path of ['live', 'ready'])
      expect((await service.client.get(`/api/health/${path}`)).status).toBe(200);
    expect((await service.client.get('/api/server/list')).status).toBe(200);
    expect(await turnedAway('game')).toBe(1);
    expect(await refusedBeforeItsBody()).toMatch(/^HTTP\/1.1 503 /);
    expect(await turnedAway('login')).toBe(1);
    const more = await Promise.all(Array.from({ length: 20 }, check));
    expect(more.map(({ status }) => status)).toEqual(Array(20).fill(503));
    expect(inLog(BEGINS)).toHaveLength(1);

    letGo();
    expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(Array(CROWD).fill(200));
    expect((await check()).status).toBe(401);
    tickAfter(60_000);
    expect(inLog('overload: over')).toHaveLength(1);
    expect(inLog(BEGINS)).toHaveLength(1);
  });
});
