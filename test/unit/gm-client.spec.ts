import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import type { Settings } from '../../src/platform/config/settings.js';
import { parseSettings } from '../../src/platform/config/parse-settings.js';
import { GmClient, sign } from '../../src/features/withdraw/game/gm-client.js';
import type { GmAddress } from '../../src/features/withdraw/game/withdrawal-servers.js';

const settings = { current: parseSettings('withdraw: { gm_timeout: 1 }', 'test') } as Settings;
const environment = Object.assign(new Environment(), { GM_SECRET: 'a-secret-for-gm-commands' });
const client = new GmClient(environment, settings);
const order = { serverId: 1, roleId: 7, account: 'a&b=ü', amount: 100, orderNo: 'W1-x' };

const realSetTimeout = setTimeout;
const passTimeLimit = () => void vi.advanceTimersByTime(1000);

const open: Server[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  for (const server of open.splice(0)) server.close();
});

/** Starts a raw TCP server. `speak` receives each request's text and may write any bytes, or none. */
async function saying(speak: (socket: Socket, request: string) => void, host = '127.0.0.1') {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => speak(socket, data.toString()));
  });
  open.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return { host, port: (server.address() as AddressInfo).port, path: '/gm' };
}

const answering = (body: string) =>
  saying((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  );

describe('GmClient with withdraw.gm_answer: order_no', () => {
  const text = 'withdraw: { gm_timeout: 1, gm_answer: order_no }';
  const strict = new GmClient(environment, { current: parseSettings(text, 'test') } as Settings);

  it.each([
    ['{"code":0,"order_no":"W1-x"}', 'accepted'],
    ['{"code":0}', 'unknown'],
    ['{"code":0,"order_no":"W2-x"}', 'unknown'],
    ['{"code":0,"order_no":["W1-x"]}', 'unknown'],
    ['{"code":7}', 'refused'],
  ])('interprets %s as %s', async (body, kind) => {
    expect((await strict.deduct(await answering(body), order)).kind).toBe(kind);
  });
});

describe('GmClient', () => {
  it("sends nothing to the service's own ports, whatever host name leads there", async () => {
    let connections = 0;
    let requests = 0;
    const gm = await saying((socket) => {
      requests++;
      socket.end('HTTP/1.1 200 OK\r\n\r\n{"code":0}');
    });
    open.at(-1)!.on('connection', () => connections++);
    const own = Object.assign(new Environment(), environment, { PORT: gm.port });
    const ownClient = new GmClient(own, settings);
    const plain = await ownClient.deduct(gm, order);
    expect(plain).toEqual({
      kind: 'not_sent',
      evidence: `127.0.0.1:${gm.port} is this service itself`,
    });
    expect(connections).toBe(0);
    const lookup = vi
      .spyOn(dns, 'lookup')
      .mockImplementation(((
        _name: string,
        _options: object,
        done: (error: null, addresses: object[]) => void,
      ) => done(null, [{ address: '127.0.0.1', family: 4 }])) as never);
    const named = await ownClient.deduct({ ...gm, host: 'rogue.example' }, order);
    lookup.mockRestore();
    expect(named).toEqual(plain);
    expect(requests).toBe(0);
  });

  it('sends the signed fields of an order', async () => {
    let received = '';
    const gm = await saying((socket, request) => {
      received = request;
      socket.end('HTTP/1.1 200 OK\r\n\r\n{"code":0}');
    });
    expect((await client.deduct(gm, order)).kind).toBe('accepted');
    expect(received).toMatch(/^POST \/gm HTTP\/1\.1\r\n/);
    expect(received).toMatch(/^Content-Type: application\/x-www-form-urlencoded\r$/im);
    const { sign: given, ...fields } = Object.fromEntries(
      new URLSearchParams(received.split('\r\n\r\n')[1]),
    );
    expect(fields).toEqual({
      op: '10030',
      server_id: '1',
      role_id: '7',
      account: 'a&b=ü',
      amount: '100',
      order_no: 'W1-x',
      time: expect.stringMatching(/^\d{10}$/),
    });
    expect(given).toBe(sign(fields, 'a-secret-for-gm-commands'));
    // printf 'a=1&b=2' | openssl dgst -sha256 -hmac key
    expect(sign({ b: 2, a: 1 }, 'key')).toBe(
      'b3c18626e7ac81395c1d37966c7ee2258a6967a1b3fdefb4fa339bb19dc73b0e',
    );
  });

  it.each([
    ['{"code":0}', 'accepted'],
    ['{"code":0,"message":"已扣除"}', 'accepted'],
    ['{"code":1}', 'refused'],
    ['{"code":-7,"message":"no"}', 'refused'],
    ['{"code":"0"}', 'unknown'],
    ['{"code":0.5}', 'unknown'],
    ['{"code":null}', 'unknown'],
    ['{}', 'unknown'],
    ['[0]', 'unknown'],
    ['0', 'unknown'],
    ['{"code":0}{"code":0}', 'unknown'],
    ['', 'unknown'],
  ])('interprets the response %j as %s', async (body, kind) => {
    const bytes = Buffer.from(body);
    const gm = await saying((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`);
      socket.end(bytes);
    });
    expect((await client.deduct(gm, order)).kind).toBe(kind);
  });

  it.each([
    ['status 201', 'HTTP/1.1 201 Created\r\n\r\n{"code":0}'],
    ['status 404', 'HTTP/1.1 404 Not Found\r\n\r\n{"code":1}'],
    ['status 503', 'HTTP/1.1 503 Unavailable\r\n\r\n{"code":0}'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /gm\r\n\r\n{"code":0}'],
    ['a response that is not HTTP', 'OK\r\n'],
    ['an empty response', ''],
    ['an incomplete header', 'HTTP/1.1 200 OK\r\nContent-'],
    ['a body shorter than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"code":0}'],
    ['an incomplete chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n{"code":0}'],
  ])('reports an unknown outcome for %s', async (_, bytes) => {
    const gm = await saying((socket) => socket.end(bytes));
    expect((await client.deduct(gm, order)).kind).toBe('unknown');
  });

  it('gives up at the timeout, however slowly the response arrives', async () => {
    const gm = await saying((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const drip = setInterval(() => socket.write(' '), 10);
      socket.on('close', () => clearInterval(drip));
      passTimeLimit();
    });
    expect(await client.deduct(gm, order)).toMatchObject({
      kind: 'unknown',
      evidence: 'no answer within 1 s',
    });
  });

  it('resets the connection on a timeout, so that nothing is delivered later', async () => {
    let onReset: (code: unknown) => void;
    const reset = new Promise((resolve) => (onReset = resolve));
    const gm = await saying((socket) => {
      socket.on('end', () => onReset('end'));
      socket.on('error', (error: NodeJS.ErrnoException) => onReset(error.code));
      passTimeLimit();
    });
    expect((await client.deduct(gm, order)).kind).toBe('unknown');
    expect(await reset).toBe('ECONNRESET');
  });

  it('reports "not sent" if no connection can be made', async () => {
    const gm = await answering('{"code":0}');
    const unusable: GmAddress[] = [
      { ...gm, port: 1 },
      { ...gm, host: 'gm.invalid' },
      { ...gm, path: '/with a space\n' },
      { ...gm, port: 70_000 },
      { ...gm, port: NaN },
    ];
    for (const address of unusable)
      expect((await client.deduct(address, order)).kind, JSON.stringify(address)).toBe('not_sent');
  });

  it('reports "not sent" if the timeout passes before the connection is open', async () => {
    let received = 0;
    const gm = await saying(() => received++);
    const outcome = client.deduct(gm, order);
    passTimeLimit();
    expect(await outcome).toEqual({ kind: 'not_sent', evidence: 'no answer within 1 s' });
    expect(received).toBe(0);
  });

  it('accepts a response that arrived while the process was suspended beyond the timeout', async () => {
    const gm = await saying((socket) => {
      socket.end('HTTP/1.1 200 OK\r\n\r\n{"code":0}');
      // The timer fires before the event loop reads the socket, as if the process had been suspended for too long.
      realSetTimeout(passTimeLimit, 1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    });
    expect((await client.deduct(gm, order)).kind).toBe('accepted');
  });

  it('checks again before the first byte whether it may send', async () => {
    let received = 0;
    const gm = await saying((socket) => {
      received++;
      socket.end('HTTP/1.1 200 OK\r\n\r\n{"code":0}');
    });
    let checks = 0;
    const holdBack = () => (++checks === 1 ? undefined : 'was suspended');
    const outcome = await client.deduct(gm, order, undefined, holdBack);
    expect(outcome).toEqual({ kind: 'not_sent', evidence: 'was suspended' });
    expect(checks).toBe(2);
    // Any bytes that were sent would have arrived before this.
    expect((await client.deduct(gm, order)).kind).toBe('accepted');
    expect(received).toBe(1);
  });

  it('reports unknown if the service stops during a request, and not_sent after that', async () => {
    const stop = new AbortController();
    const gm = await saying(() => stop.abort());
    expect((await client.deduct(gm, order, stop.signal)).kind).toBe('unknown');
    expect((await client.deduct(gm, order, stop.signal)).kind).toBe('not_sent');
  });

  it('removes control characters from evidence and shortens it', async () => {
    const gm = await answering(`{"code":1,"message":"\u001b[31m${'x'.repeat(1000)}"}`);
    const { evidence } = await client.deduct(gm, order);
    expect(evidence).not.toContain('\u001b');
    expect(evidence.length).toBeLessThanOrEqual(300);
  });
});
