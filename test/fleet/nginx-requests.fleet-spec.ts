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
import { type Nginx, type NginxOptions, startNginx } from '../support/servers/nginx.js';
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

async function restart(options: Partial<NginxOptions>): Promise<void> {
  await nginx.stop();
  nginx = await startNginx({ upstreams: [first.address, second.address], ...options });
}

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

describe('nginx', () => {
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
  ])('returns 404 for %s without contacting an instance', async (path) => {
    expectError(await ask(path), 404, 40400, 'not_found');
    expect(requestsSeen()).toEqual([]);
  });

  it.each([
    '/sandbox',
    '/sandbox/mail',
    '/%73andbox/mail',
    '//sandbox/mail',
    // The service ignores case in paths.
    '/Sandbox/mail',
    '/SANDBOX',
    '/%53andbox/mail',
  ])(
    'returns 404 for %s, which leads to the sandbox, without contacting an instance',
    async (path) => {
      expectError(await ask(path), 404, 40400, 'not_found');
      expect(requestsSeen()).toEqual([]);
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'returns 404 for the method %s at a path that ends in .php',
    async (method) => {
      expectError(await ask('/api.php', { method }, 'x=1'), 404, 40400, 'not_found');
      expect(requestsSeen()).toEqual([]);
    },
  );

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
  ])('passes %s on unchanged', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(echoed(answer).url).toBe(path);
  });
});

describe('A request that nginx passes on', () => {
  it("contains the client's real address, whatever its headers claim", async () => {
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

  it('contains the requested host', async () => {
    const answer = await ask('/', { headers: { Host: 'play.example:8443' } });
    expect(echoed(answer).headers.host).toBe('play.example:8443');
  });

  it('contains a host even if an HTTP/1.0 request names none', async () => {
    const { port, hostname } = new URL(nginx.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET / HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*"host":"[^"]+"/s);
  });

  it('contains the path and the query byte for byte', async () => {
    const path = '/api//check/%7Ea/../b?account=%E4%BD%A0&token=a%2Bb+c&x=%00';
    expect(echoed(await ask(path)).url).toBe(path);
  });

  it("contains the client's request id if it is well-formed", async () => {
    const answer = await ask('/', { headers: { 'X-Request-Id': 'from_the-client-1' } });
    expect(echoed(answer).headers['x-request-id']).toBe('from_the-client-1');
  });

  it.each(['', 'with space', '"}', 'a'.repeat(65)])(
    'contains a new request id instead of "%s"',
    async (id) => {
      const answer = await ask('/', { headers: { 'X-Request-Id': id } });
      expect(echoed(answer).headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  it('arrives over a reused connection', async () => {
    const answer = await ask('/', { headers: { Connection: 'close' } });
    expect(echoed(answer).headers.connection).not.toBe('close');
  });
});

describe('Request bodies that nginx receives', () => {
  it('are passed on up to 1 MiB', async () => {
    const answer = await ask('/api/report/chat', { method: 'POST' }, Buffer.alloc(1024 * 1024));
    expect(echoed(answer).bytes).toBe(1024 * 1024);
  });

  it('are rejected above 1 MiB, with Content-Length or chunked', async () => {
    const body = Buffer.alloc(1024 * 1024 + 1);
    const announced = { method: 'POST', headers: { 'Content-Length': body.length } };
    expectError(await ask('/api/report/chat', announced, body), 413, 41300, 'body_too_large');
    const chunked = { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } };
    expectError(await ask('/api/report/chat', chunked, body), 413, 41300, 'body_too_large');
    expect(requestsSeen()).toEqual([]);
  });
});

describe('Requests that nginx rejects', () => {
  it("get a response in the service's error format", async () => {
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

  it('include requests to the internal path of the error response', async () => {
    expectError(await ask('/.error'), 404, 40400, 'not_found');
  });

  it('keep a well-formed request id in the response', async () => {
    const answer = await ask('/index.php', { headers: { 'X-Request-Id': 'mine-1' } });
    expect(json(answer).request_id).toBe('mine-1');
  });
});

describe("nginx's limits per address", () => {
  const [greedy, honest] = ['127.0.0.7', '127.0.0.8'];

  /** Sends many requests over 20 connections without waiting, and returns the responses. */
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

  // The rate is so low that only the burst counts, however long the flood takes.
  const slowRate = (config: string) => {
    expect(config).toContain('rate=200r/s');
    return config.replace('rate=200r/s', 'rate=1r/m');
  };
  beforeEach(() => restart({ edit: slowRate }));

  it.each(['/api/server/list', '/x.php', '/sandbox/mail'])(
    'stop a flood of requests for %s without affecting other addresses',
    async (path) => {
      const answers = await flood(greedy, path, 1200);
      const refused = answers.filter(({ status }) => status === 429);
      expect([answers.length, refused.length]).toEqual([1200, 199]);
      expectError(refused[0]!, 429, 42900, 'too_many_requests');
      expect([refused[0]!.headers['retry-after'], json(refused[0]!).retry_after]).toEqual(['1', 1]);
      expect((await ask('/api/config', { localAddress: honest })).status).toBe(200);
      const lines = nginx.accessLog().split('\n');
      expect(lines.filter((line) => line.includes('"status":429')).length).toBeLessThan(50);
    },
  );

  it('allow 1000 parallel page views from a shared address', async () => {
    const statuses = statusesOf(await flood(greedy, '/', 1000));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('do not apply to an address in the geo block, such as the local machine', async () => {
    const statuses = statusesOf(await flood('127.0.0.1', '/api/check', 1200));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('allow 100 parallel requests per address', async () => {
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

describe('The location for chat reports in docs/operations.md', () => {
  const runbook = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, location = ''] = runbook.match(/```nginx\n( *location ~\* .*?)```/s) ?? [];
  const startWith = (lines: string) => restart({ location: lines });

  it.each(['/api/report/chat', '/api/report/chat/', '/API/Report/Chat?x=1', '/api/report/cha%74'])(
    'rejects %s from other addresses',
    async (path) => {
      await startWith(location);
      expectError(await ask(path, { method: 'POST' }, '{}'), 403, 40302, 'caller_not_allowed');
      expect(requestsSeen()).toEqual([]);
    },
  );

  it('passes on requests from the allowed addresses', async () => {
    await startWith(location.replace('10.0.0.0/8', '127.0.0.1'));
    const forged = { 'X-Forwarded-For': '203.0.113.9' };
    const answer = await ask('/api/report/chat', { method: 'POST', headers: forged }, '{}');
    const { url, headers } = echoed(answer);
    expect(url).toBe('/api/report/chat');
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
    expect((await ask('/api/report')).status).toBe(200);
  });
});

describe('An instance that is down', () => {
  it('is skipped without a failed request', async () => {
    await first.stop();
    for (let i = 0; i < 4; i++) {
      expect((await ask('/api/server/list')).status).toBe(200);
      expect((await ask('/api/login', { method: 'POST' }, '{}')).status).toBe(200);
    }
    expect(second.received).toHaveLength(8);
  });

  it('is skipped when it resets a GET', async () => {
    first.resetFromNowOn();
    for (let i = 0; i < 2; i++) expect((await ask('/api/server/list')).status).toBe(200);
    expect(first.received.length).toBeLessThanOrEqual(1);
  });

  it('causes error 50302 if the other instance is down too', async () => {
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

describe('A POST whose connection an instance resets', () => {
  it.each([
    '/api/login',
    '/api/login/second',
    '/api/report/chat',
    '/api/check',
    '/api/bind_account',
    '/api/enter_game',
    '/api/session/refresh',
  ])('is sent to the other instance if it may arrive twice, like %s', async (path) => {
    first.resetFromNowOn();
    for (let i = 0; i < 2; i++)
      expect((await ask(path, { method: 'POST' }, '{}')).status).toBe(200);
    expect(first.received).toHaveLength(1);
    expect(second.received).toHaveLength(2);
  });

  it.each([
    '/api/game/withdraw',
    '/API/Game/Withdraw/',
    '//api/game/./withdra%77',
    '/api\\game/withdraw#',
    '/api/game\\withdraw?a#b',
    '/api/account/close',
    '/api/register',
    '/api/send_code',
    '/api/reset_password',
    '/api/account/email',
  ])('is not sent a second time if it must not arrive twice, like %s', async (path) => {
    first.resetFromNowOn();
    second.resetFromNowOn();
    const answer = await ask(path, { method: 'POST' }, '{"amount":100}');
    expectError(answer, 503, 50302, 'service_unavailable');
    expect(requestsSeen()).toHaveLength(1);
  });

  it('is not sent a second time on a reused connection either', async () => {
    for (let i = 0; i < 4; i++) await ask('/api/server/list');
    first.resetFromNowOn();
    second.resetFromNowOn();
    await ask('/api/game/withdraw', { method: 'POST' }, '{"amount":100}');
    expect(requestsSeen().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('Responses that nginx sends', () => {
  it.each([400, 404, 405, 413, 500, 502, 503])(
    "for the service's status %i are passed on unchanged",
    async (status) => {
      const answer = await ask('/api/login', { headers: { 'X-Answer-Status': String(status) } });
      expect(answer.status).toBe(status);
      expect(echoed(answer).url).toBe('/api/login');
    },
  );

  it('do not reveal the software behind nginx', async () => {
    const { headers } = await ask('/');
    expect(headers.server).toBe('nginx');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it('are compressed for long pages, but not for JSON, which may contain a token', async () => {
    const path = `/api/server/list?${'a'.repeat(2000)}`;
    const as = (type: string) =>
      ask(path, { headers: { 'Accept-Encoding': 'gzip', 'X-Answer-Type': type } });
    const page = await as('text/html');
    expect(page.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(JSON.parse(gunzipSync(page.body).toString())).toMatchObject({ url: path });
    expect((await as('application/json')).headers).not.toHaveProperty('content-encoding');
  });
});

describe("nginx's logs", () => {
  it('contain at most 200 characters of a path', async () => {
    await ask(`/${'x'.repeat(4000)}`);
    await ask('/last');
    const [line = ''] = nginx.accessLog().split('\n');
    expect(JSON.parse(line)).toMatchObject({ path: `/${'x'.repeat(199)}` });
  });

  it('never contain a query, which may contain a token', async () => {
    await ask('/api/check?account=a&token=s3cret');
    await ask('/check.php?token=s3cret');
    await ask('/%zz?token=s3cret');
    await Promise.all([first.stop(), second.stop()]);
    await ask('/api/check?account=a&token=s3cret');
    // Log lines are in request order, but the last line may be written after its response.
    await ask('/last');
    expect(nginx.accessLog()).toContain('"path":"/api/check"');
    expect(nginx.accessLog() + nginx.errorLog()).not.toContain('s3cret');
  });
});
