import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import type { Settings } from '../../src/platform/config/settings.js';
import { parseSettings } from '../../src/platform/config/parse-settings.js';
import { GmClient, sign } from '../../src/features/withdraw/game/gm-client.js';
import type { GmAddress } from '../../src/features/withdraw/game/gm-exchange.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const settings = { current: parseSettings('withdraw: { gm_timeout: 1 }', 'test') } as Settings;
const environment = Object.assign(new Environment(), { GM_SECRET: 'a-secret-for-gm-commands' });
const client = new GmClient(environment, settings);
const order = { serverId: 1, roleId: 7, account: 'a&b=ü', amount: 100, orderNo: 'W1-x' };

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** A game server that says exactly these bytes to whoever sends something. */
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

describe('the GM client', () => {
  it('signs the fields sorted by name, and sends each once', async () => {
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
  ])('takes %s for %s', async (body, kind) => {
    const bytes = Buffer.from(body);
    const gm = await saying((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`);
      socket.end(bytes);
    });
    expect((await client.deduct(gm, order)).kind).toBe(kind);
  });

  it.each([
    ['201', 'HTTP/1.1 201 Created\r\n\r\n{"code":0}'],
    ['404', 'HTTP/1.1 404 Not Found\r\n\r\n{"code":1}'],
    ['503', 'HTTP/1.1 503 Unavailable\r\n\r\n{"code":0}'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /gm\r\n\r\n{"code":0}'],
    ['no HTTP', 'OK\r\n'],
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['less than it promised', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"code":0}'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n{"code":0}'],
  ])('cannot tell what %s means', async (_, bytes) => {
    const gm = await saying((socket) => socket.end(bytes));
    expect((await client.deduct(gm, order)).kind).toBe('unknown');
  });

  it('gives up in time on an answer that trickles in', async () => {
    const gm = await saying((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const drip = setInterval(() => socket.write(' '), 100);
      socket.on('close', () => clearInterval(drip));
    });
    const started = performance.now();
    expect(await client.deduct(gm, order)).toMatchObject({
      kind: 'unknown',
      evidence: 'no answer within 1 s',
    });
    // It would trickle on for ever.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('takes back what is not delivered yet when it gives up', async () => {
    const ended: string[] = [];
    const gm = await saying((socket) => {
      socket.on('end', () => ended.push('end'));
      socket.on('error', (error: NodeJS.ErrnoException) => ended.push(String(error.code)));
    });
    expect((await client.deduct(gm, order)).kind).toBe('unknown');
    await until(() => ended.length > 0);
    expect(ended).toEqual(['ECONNRESET']);
  });

  it('knows that nothing was sent where no connection was made', async () => {
    const gm = await answering('{"code":0}');
    const unusable: GmAddress[] = [
      { ...gm, port: 1 },
      { ...gm, host: 'gm.invalid' },
      { ...gm, path: '/with a space\n' },
    ];
    for (const address of unusable)
      expect((await client.deduct(address, order)).kind, JSON.stringify(address)).toBe('not_sent');
  });

  it('knows so too when connecting takes too long', async () => {
    // A frozen process with a full queue: the kernel answers no further connection.
    const program = `require('net').createServer().listen({port:0,host:'127.0.0.1',backlog:1},function(){console.log('port '+this.address().port)})`;
    const frozen = new ManagedProcess('node', ['-e', program]);
    const [, port] = await frozen.waitForLine(/port (\d+)/);
    frozen.signal('SIGSTOP');
    const fillers = Array.from({ length: 8 }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      return socket.on('error', () => undefined);
    });
    const gm = { host: '127.0.0.1', port: Number(port), path: '/gm' };
    const outcome = await client.deduct(gm, order);
    for (const socket of fillers) socket.destroy();
    await frozen.stop('SIGKILL');
    expect(outcome).toEqual({ kind: 'not_sent', evidence: 'no answer within 1 s' });
  });

  it('takes an answer that lay there when the process woke up after the time-out', async () => {
    const program = `require('net').createServer((socket) => socket.once('data', () => {
        console.log('asked');
        setTimeout(() => socket.end('HTTP/1.1 200 OK\\r\\n\\r\\n{"code":0}'), 200);
      })).listen({ port: 0, host: '127.0.0.1' }, function () { console.log('port ' + this.address().port) })`;
    const game = new ManagedProcess('node', ['-e', program]);
    const [, port] = await game.waitForLine(/port (\d+)/);
    const current = parseSettings('withdraw: { gm_timeout: 2 }', 'test');
    const patient = new GmClient(environment, { current } as Settings);
    const outcome = patient.deduct({ host: '127.0.0.1', port: Number(port), path: '/gm' }, order);
    await game.waitForLine(/asked/);
    // Stands still, as a stopped process does, until long after the seconds it is willing to wait.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
    expect((await outcome).kind).toBe('accepted');
    await game.stop('SIGKILL');
  });

  it('looks again whether it may send when it is connected, before the first byte', async () => {
    let received = 0;
    const gm = await saying(() => received++);
    let looks = 0;
    const holdBack = () => (++looks === 1 ? undefined : 'stood still');
    const outcome = await client.deduct(gm, order, undefined, holdBack);
    expect(outcome).toEqual({ kind: 'not_sent', evidence: 'stood still' });
    expect(looks).toBe(2);
    // Whatever had been sent would have arrived before this.
    expect((await client.deduct(gm, order)).kind).toBe('unknown');
    expect(received).toBe(1);
  });

  it('cut short by the end of the service, says what it knows', async () => {
    const stop = new AbortController();
    const gm = await saying(() => stop.abort());
    expect((await client.deduct(gm, order, stop.signal)).kind).toBe('unknown');
    expect((await client.deduct(gm, order, stop.signal)).kind).toBe('not_sent');
  });

  it('keeps evidence short and printable', async () => {
    const gm = await answering(`{"code":1,"message":"\u001b[31m${'x'.repeat(1000)}"}`);
    const { evidence } = await client.deduct(gm, order);
    expect(evidence).not.toContain('\u001b');
    expect(evidence.length).toBeLessThanOrEqual(300);
  });
});
