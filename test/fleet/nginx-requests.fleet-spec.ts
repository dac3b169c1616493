import { readFileSync } from 'node:fs';
import { type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type EchoUpstream,
  type Received,
  startEchoUpstream,
} from '../support/servers/echo-upstream.js';
import { type Nginx, startNginx } from '../support/servers/nginx.js';
import { type Answer, rawRequest } from '../support/api/raw-request.js';
import { until } from '../support/until.js';

let first: EchoUpstream;
let second: EchoUpstream;
let nginx: Nginx;

beforeEach(async () => {
  [first, second] = await Promise.all([startEchoUpstream(), startEchoUpstream()]);
  nginx = await startNginx({ upstreams: [first.address, second.address] });
});

afterEach(async () => {
  await Promise.all([nginx.stop(), first.stop(), second.stop()]);
});

const ask = (path: string, options?: RequestOptions, body?: string | Buffer) =>
  rawRequest(nginx.url, path, options, body);

function json(answer: Answer): Record<string, unknown> {
  return JSON.parse(answer.body.toString());
}

function echoed(answer: Answer): Received {
  return JSON.parse(answer.body.toString());
}

function requestsSeen(): Received[] {
  return [...first.received, ...second.received];
}

function expectError(answer: Answer, status: number, code: number, error: string) {
  expect(json(answer)).toMatchObject({ code, error, message: expect.any(String) });
  expect(answer.status).toBe(status);
  expect(json(answer).request_id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(answer.headers).toMatchObject({
    'x-request-id': json(answer).request_id,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    server: 'nginx',
  });
}

describe('paths that end in .php', () => {
  it.each([
    '/index.php',
    '/.php',
    '/INDEX.PHP',
    '/index.pHp',
    '/login.php?do=microClient',
    '/login.php?',
    '/index%2ephp',
    '/index%2Ephp',
    '/index.%70%68%70',
    '/index.%50HP',
    '/index%2e%70%48p?x=/index.html',
    '/a/b/c.php',
    '/a%2Fb.php',
    '/a/../index.php',
    '/a/%2e%2e/index.php',
    '//index.php',
    '/api/server/./list.php',
    '/api/server/list/../../index.php',
    '/index.php#fragment',
    '/index%20.php',
    '/%E4%BD%A0.php',
    '/index.html.php',
    'http://elsewhere.example/index.php',
  ])('answers 404 to %s without asking an instance', async (path) => {
    expectError(await ask(path), 404, 40400, 'not_found');
    expect(requestsSeen()).toEqual([]);
  });

  it.each([
    '/sandbox',
    '/sandbox/mail',
    '/%73andbox/mail',
    '//sandbox/mail',
    // The service takes capitals for the same path.
    '/Sandbox/mail',
    '/SANDBOX',
    '/%53andbox/mail',
  ])('as does the sandbox, should an instance have one: %s', async (path) => {
    expectError(await ask(path), 404, 40400, 'not_found');
    expect(requestsSeen()).toEqual([]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('answers 404 to %s as well', async (method) => {
    expectError(await ask('/api.php', { method }, 'x=1'), 404, 40400, 'not_found');
    expect(requestsSeen()).toEqual([]);
  });

  it.each([
    '/',
    '/php',
    '/indexphp',
    '/index.php/',
    '/index.php/more',
    '/index.php.html',
    '/index.phps',
    '/index.php%3Fx',
    '/index%252ephp',
    '/api/check?file=index.php',
    '/api/server/list?.php',
  ])('passes %s on as it came', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(echoed(answer).url).toBe(path);
  });
});

describe('what an instance is told', () => {
  it('is the address of the client, whatever the client claims', async () => {
    const answer = await ask('/api/server/list', {
      localAddress: '127.0.0.7',
      headers: {
        'X-Forwarded-For': '203.0.113.9, 10.0.0.1',
        'X-Real-IP': '203.0.113.9',
        Forwarded: 'for=203.0.113.9',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Port': '443',
      },
    });
    const { headers } = echoed(answer);
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.7', 'x-forwarded-proto': 'http' });
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/x-real-ip|^forwarded|-host|-port/)]),
    );
  });

  it('is the host that was asked for', async () => {
    const answer = await ask('/', { headers: { Host: 'play.example:8443' } });
    expect(echoed(answer).headers.host).toBe('play.example:8443');
  });

  it('is a host also where HTTP/1.0 names none', async () => {
    const { port, hostname } = new URL(nginx.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET / HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*"host":"[^"]+"/s);
  });

  it('is the path and query, byte for byte', async () => {
    const path = '/api//check/%7Ea/../b?account=%E4%BD%A0&token=a%2Bb+c&x=%00';
    expect(echoed(await ask(path)).url).toBe(path);
  });

  it('is the request id of the client, if it is well-formed', async () => {
    const answer = await ask('/', { headers: { 'X-Request-Id': 'from_the-client-1' } });
    expect(echoed(answer).headers['x-request-id']).toBe('from_the-client-1');
  });

  it.each(['', 'with space', '"}', 'a'.repeat(65)])(
    'is a new request id in place of "%s"',
    async (id) => {
      const answer = await ask('/', { headers: { 'X-Request-Id': id } });
      expect(echoed(answer).headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  it('comes over connections that are used again', async () => {
    const answer = await ask('/', { headers: { Connection: 'close' } });
    expect(echoed(answer).headers.connection).not.toBe('close');
  });
});

describe('bodies', () => {
  it('pass up to 1 MiB', async () => {
    const answer = await ask('/api/report/chat', { method: 'POST' }, Buffer.alloc(1024 * 1024));
    expect(echoed(answer).bytes).toBe(1024 * 1024);
  });

  it('are refused above that, announced or chunked', async () => {
    const body = Buffer.alloc(1024 * 1024 + 1);
    const announced = { method: 'POST', headers: { 'Content-Length': body.length } };
    expectError(await ask('/api/report/chat', announced, body), 413, 41300, 'body_too_large');
    const chunked = { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } };
    expectError(await ask('/api/report/chat', chunked, body), 413, 41300, 'body_too_large');
    expect(requestsSeen()).toEqual([]);
  });
});

describe('requests that nginx refuses', () => {
  it('have the one error shape', async () => {
    const malformed = await ask('/%zz');
    expectError(malformed, 400, 40000, 'invalid_request');
    const longHeader = await ask('/', { headers: { 'X-Long': 'a'.repeat(20_000) } });
    expectError(longHeader, 400, 40000, 'invalid_request');
    const longPath = await ask(`/${'a'.repeat(20_000)}`);
    expectError(longPath, 400, 40000, 'invalid_request');
    const traced = await ask('/', { method: 'TRACE' });
    expectError(traced, 405, 40500, 'method_not_allowed');
    expect(traced.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  });

  it('include the path of the error answer itself', async () => {
    expectError(await ask('/.error'), 404, 40400, 'not_found');
  });

  it('keep a well-formed request id', async () => {
    const answer = await ask('/index.php', { headers: { 'X-Request-Id': 'mine-1' } });
    expect(json(answer).request_id).toBe('mine-1');
  });
});

describe('the limits of an address', () => {
  const [greedy, honest] = ['127.0.0.7', '127.0.0.8'];

  /** The answers to many requests, sent on 20 connections without waiting for them. */
  async function flood(from: string, path: string, count: number): Promise<Answer[]> {
    const one = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const last = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => {
        const socket = connect({ port: nginx.port, host: '127.0.0.1', localAddress: from });
        socket.write(one.repeat(count / 20 - 1) + last);
        return text(socket);
      }),
    );
    return answers.flatMap((all) => all.split(/(?=HTTP\/1\.1 \d+ )/).map(parsed));
  }

  function parsed(answer: string): Answer {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const headers = head.matchAll(/^([\w-]+): (.*?)\r?$/gm);
    return {
      status: Number(head.split(' ')[1]),
      headers: Object.fromEntries(
        [...headers].map(([, name, value]) => [name!.toLowerCase(), value]),
      ),
      body: Buffer.from(body),
    };
  }

  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);

  it.each(['/api/server/list', '/x.php', '/sandbox/mail'])(
    'stop a flood of requests for %s, and nobody else',
    async (path) => {
      const statuses = statusesOf(await flood(greedy, path, 4000));
      expect(statuses).toHaveLength(4000);
      const refused = statuses.filter((status) => status === 429).length;
      expect(refused).toBeGreaterThan(500);
      expect(statuses.length - refused).toBeGreaterThanOrEqual(1000);
      expect((await ask('/api/config', { localAddress: honest })).status).toBe(200);
    },
  );

  it('answer in the one error shape, and leave few lines in the log', async () => {
    const answers = await flood(greedy, '/x.php', 4000);
    const lines = nginx.accessLog().split('\n');
    const refused = lines.filter((line) => line.includes('"status":429'));
    expect(refused.length).toBeLessThan(200);
    const answer = answers.find(({ status }) => status === 429)!;
    expectError(answer, 429, 42900, 'too_many_requests');
    expect([answer.headers['retry-after'], json(answer).retry_after]).toEqual(['1', 1]);
  });

  it('let a whole school open the page at once', async () => {
    const statuses = statusesOf(await flood(greedy, '/', 1000));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('are not for game servers, nor for this machine', async () => {
    const statuses = statusesOf(await flood('127.0.0.1', '/api/check', 4000));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('hold the connections with a request under way to 100, and leave others theirs', async () => {
    const head = 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{';
    const answered: string[] = [];
    const sockets = Array.from({ length: 160 }, () => {
      const socket = connect({ port: nginx.port, host: '127.0.0.1', localAddress: greedy });
      socket.on('error', () => undefined);
      socket.once('data', (data: Buffer) => answered.push(data.toString().slice(0, 12)));
      socket.write(head);
      return socket;
    });
    await until(() => answered.length === 60);
    expect(new Set(answered)).toEqual(new Set(['HTTP/1.1 429']));
    expect((await ask('/api/config', { localAddress: greedy })).status).toBe(429);
    expect((await ask('/api/config', { localAddress: honest })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('chat reports for game servers alone, as the runbook has it', () => {
  const runbook = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, location = ''] = runbook.match(/```nginx\n( *location ~\* .*?)```/s) ?? [];
  const startWith = async (lines: string) => {
    await nginx.stop();
    nginx = await startNginx({ upstreams: [first.address, second.address], location: lines });
  };

  it.each(['/api/report/chat', '/api/report/chat/', '/API/Report/Chat?x=1', '/api/report/cha%74'])(
    'refuses everybody else at %s',
    async (path) => {
      await startWith(location);
      expectError(await ask(path, { method: 'POST' }, '{}'), 403, 40302, 'caller_not_allowed');
      expect(requestsSeen()).toEqual([]);
    },
  );

  it('passes theirs on like any other request', async () => {
    await startWith(location.replace('10.0.0.0/8', '127.0.0.1'));
    const forged = { 'X-Forwarded-For': '203.0.113.9' };
    const answer = await ask('/api/report/chat', { method: 'POST', headers: forged }, '{}');
    const { url, headers } = echoed(answer);
    expect(url).toBe('/api/report/chat');
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
    expect((await ask('/api/report')).status).toBe(200);
  });
});

describe('an instance that is down', () => {
  it('is passed over, and nobody notices', async () => {
    await first.stop();
    for (let i = 0; i < 4; i++) {
      expect((await ask('/api/server/list')).status).toBe(200);
      expect((await ask('/api/login', { method: 'POST' }, '{}')).status).toBe(200);
    }
    expect(second.received).toHaveLength(8);
  });

  it('is passed over when it resets a GET', async () => {
    first.resetFromNowOn();
    for (let i = 0; i < 2; i++) expect((await ask('/api/server/list')).status).toBe(200);
    expect(first.received.length).toBeLessThanOrEqual(1);
  });

  it('answers 50302 when the other one is down too', async () => {
    await Promise.all([first.stop(), second.stop()]);
    expectError(await ask('/api/server/list'), 503, 50302, 'service_unavailable');
    expectError(
      await ask('/api/login', { method: 'POST' }, '{}'),
      503,
      50302,
      'service_unavailable',
    );
  });
});

describe('a POST that an instance cuts off', () => {
  it('is not sent a second time', async () => {
    first.resetFromNowOn();
    second.resetFromNowOn();
    const answer = await ask('/api/game/withdraw', { method: 'POST' }, '{"amount":100}');
    expectError(answer, 503, 50302, 'service_unavailable');
    expect(requestsSeen()).toHaveLength(1);
  });

  it('is not sent a second time when its connection had served before', async () => {
    for (let i = 0; i < 4; i++) await ask('/api/server/list');
    first.resetFromNowOn();
    second.resetFromNowOn();
    await ask('/api/game/withdraw', { method: 'POST' }, '{"amount":100}');
    expect(requestsSeen().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('answers', () => {
  it.each([400, 404, 405, 413, 500, 502, 503])(
    'of the service with status %i are passed on as they are',
    async (status) => {
      const answer = await ask('/api/login', { headers: { 'X-Answer-Status': String(status) } });
      expect(answer.status).toBe(status);
      expect(echoed(answer).url).toBe('/api/login');
    },
  );

  it('do not say what stands behind them', async () => {
    const { headers } = await ask('/');
    expect(headers.server).toBe('nginx');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it('are compressed when they are long pages, while JSON is left to the service: it may bear a token', async () => {
    const path = `/api/server/list?${'a'.repeat(2000)}`;
    const as = (type: string) =>
      ask(path, { headers: { 'Accept-Encoding': 'gzip', 'X-Answer-Type': type } });
    const page = await as('text/html');
    expect(page.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(JSON.parse(gunzipSync(page.body).toString())).toMatchObject({ url: path });
    expect((await as('application/json')).headers).not.toHaveProperty('content-encoding');
  });
});

describe('the logs', () => {
  it('hold 200 characters of a path at most', async () => {
    await ask(`/${'x'.repeat(4000)}`);
    await ask('/last');
    const [line = ''] = nginx.accessLog().split('\n');
    expect(JSON.parse(line)).toMatchObject({ path: `/${'x'.repeat(199)}` });
  });

  it('never hold a query, which may bear a token', async () => {
    await ask('/api/check?account=a&token=s3cret');
    await ask('/check.php?token=s3cret');
    await ask('/%zz?token=s3cret');
    await Promise.all([first.stop(), second.stop()]);
    await ask('/api/check?account=a&token=s3cret');
    // Lines are written in the order of the requests, the last one perhaps after its answer.
    await ask('/last');
    expect(nginx.accessLog()).toContain('"path":"/api/check"');
    expect(nginx.accessLog() + nginx.errorLog()).not.toContain('s3cret');
  });
});
