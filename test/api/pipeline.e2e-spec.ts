import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorName } from '../../src/platform/http/errors/error-table.js';
import { type TestApp, startApp } from '../support/api/app.js';
import type { Answer } from '../support/api/client.js';
import { ProbeModule } from '../support/api/probe.js';
import { statementsOfRequests } from '../support/api/request-statements.js';
import { until } from '../support/until.js';

const BODY = { name: 'x', server_id: 1 };
let service: TestApp;

beforeAll(async () => {
  service = await startApp({
    extraModules: [ProbeModule],
    settings: { rate_limit: { per_minute: 20 } },
  });
});
afterAll(() => service.stop());

function expectError(answer: Answer, error: ErrorName): void {
  expect(answer.body).toMatchObject({ error, code: ERROR_TABLE[error][0] });
  expect(answer.status).toBe(Math.floor(ERROR_TABLE[error][0] / 100));
  expect(answer.body.message).toEqual(expect.any(String));
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

/** Sends raw bytes, because an HTTP client would reject them. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const answer = text(socket);
  for (const request of bytes.split('|')) {
    const read = socket.bytesRead;
    socket.write(request);
    await until(() => socket.bytesRead > read);
  }
  return answer;
}

/** Returns how many malformed requests have been counted so far. */
async function refused(): Promise<number> {
  const { text: metrics } = await service.client.get('/api/metrics');
  return Number(
    /^gatehouse_errors_total\{error="invalid_request"\} (\d+)$/m.exec(metrics)?.[1] ?? 0,
  );
}

describe('An error response', () => {
  it('is 404 not_found for an unknown path', async () => {
    expectError(await service.client.get('/api/nope'), 'not_found');
    expectError(await service.client.get('/nope'), 'not_found');
    expectError(await service.client.send('DELETE', '/'), 'not_found');
  });

  it.each([
    '*',
    'http://[::1',
    '/api\\server/list#',
    '/api/server\\list?a#b',
    '//x@y/api/server/list#',
    '//x@y#',
  ])('is 404 for a request target whose path is ambiguous or missing: %s', async (target) => {
    const answer = await sendRaw(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.99\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 404 .*x-request-id: .*"error":"not_found"/is);
    expect(answer).not.toContain('<');
  });

  it('is not caused by a fragment or an unusual query', async () => {
    for (const end of ['#', '#/../login', '?a=\\b', '?a#b'])
      expect(
        await sendRaw(
          `GET /api/server/list${end} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        ),
        end,
      ).toMatch(/^HTTP\/1.1 200 /);
  });

  it('is 405 for a wrong method and lists the allowed methods', async () => {
    const answer = await service.client.send('DELETE', '/api/server/list');
    expectError(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    const both = await service.client.send('PUT', '/api/probe/callback');
    expect(both.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('does not depend on the body of a request with an unknown path or a wrong method', async () => {
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expectError(await service.client.post('/api/nope', 'a=b', form), 'not_found');
    const answer = await service.client.post('/api/server/list', 'a=b', form);
    expectError(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  it.each([
    ['broken JSON', '{"name":'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
  ])('is 400 invalid_request for a body that is %s', async (_, body) => {
    expectError(await service.client.post('/api/probe/echo', body), 'invalid_request');
  });

  it('is 413 for a body over 64 KiB, or over 512 KiB on a route that allows more', async () => {
    const sized = (bytes: number) => JSON.stringify({ ...BODY, padding: 'x'.repeat(bytes) });
    expectError(await service.client.post('/api/probe/echo', sized(64 * 1024)), 'body_too_large');
    expect((await service.client.post('/api/probe/large', sized(64 * 1024))).status).toBe(200);
    expectError(await service.client.post('/api/probe/large', sized(512 * 1024)), 'body_too_large');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=gbk', ''])(
    'is 415 for the media type "%s"',
    async (type) => {
      const answer = await service.client.post('/api/probe/echo', JSON.stringify(BODY), {
        headers: { 'Content-Type': type },
      });
      expectError(answer, 'unsupported_media_type');
    },
  );

  it('has status 400 for malformed percent-encoding', async () => {
    expectError(await service.client.get('/api/%zz'), 'invalid_request');
    expectError(await service.client.get('/%E0%A4%A'), 'invalid_request');
  });

  it.each([
    ['oversized headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    [
      'oversized headers on a reused connection',
      `HEAD /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n|GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    ['an invalid request line', 'HELLO\r\n\r\n'],
    ['a request without a host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('is 400 with the security headers for %s', async (_, bytes) => {
    const before = await refused();
    const [body, head] = (await sendRaw(bytes)).split('\r\n\r\n').toReversed();
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toMatch(/cache-control: no-store/i);
    expect(head).toMatch(/referrer-policy: no-referrer/i);
    expect(head).toMatch(/content-security-policy: default-src 'none'/i);
    expect(await refused()).toBe(before + 1);
    expect(JSON.parse(body ?? '')).toMatchObject({ code: 40000, error: 'invalid_request' });
  });

  it("is 500 if a connection other than the database's is refused", async () => {
    expectError(await service.client.get('/api/probe/unreachable'), 'internal_error');
  });

  it('is not affected by an Expect header', async () => {
    const answer = await sendRaw(
      'GET /api/nope HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*"not_found"/s);
  });

  it('reveals nothing about an unexpected error', async () => {
    const answer = await service.client.get('/api/probe/crash');
    expectError(answer, 'internal_error');
    expect(answer.text).not.toMatch(/SELECT|srv|stack/i);
  });
});

describe('GET /api/health/ready', () => {
  it('queries the database once for many parallel requests', async () => {
    const started = performance.now();
    const ready = () => service.client.get('/api/health/ready');
    const statements = await statementsOfRequests(service, async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, ready));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    });
    const seconds = (performance.now() - started) / 1000;
    const looks = statements.filter((statement) => statement.includes('FROM migrations'));
    expect(looks.length).toBeLessThanOrEqual(Math.floor(seconds) + 1);
  });
});

describe('The version', () => {
  it('is shown in the readiness response and the metrics', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await service.client.get('/api/health/ready')).body.data).toMatchObject({ version });
    expect((await service.client.get('/api/metrics')).text).toMatch(
      new RegExp(
        `^gatehouse_build_info\\{version="${version}",commit="[^"]*",node="${process.versions.node}"\\} 1$`,
        'm',
      ),
    );
  });

  it('is hidden from strangers', async () => {
    const from = '198.51.100.7';
    const { body } = await service.client.get('/api/health/ready', { from });
    expect(body.data).toMatchObject({ status: 'ready', database: 'up' });
    expect(body.data).not.toHaveProperty('version');
    expect(body.data).not.toHaveProperty('commit');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { info } = (await service.client.get('/api/openapi.json', { from })).body;
    expect(info.version).not.toBe(version);
  });
});

describe('Every response', () => {
  it("has the client's request id if it is well-formed, otherwise a new one", async () => {
    const id = async (given?: string) =>
      (
        await service.client.get('/api/health/live', {
          headers: given === undefined ? {} : { 'X-Request-Id': given },
        })
      ).headers.get('x-request-id');
    expect(await id('Abc_123-x')).toBe('Abc_123-x');
    expect(await id('not well-formed')).toMatch(/^[0-9A-Z]{26}$/);
    expect(await id('x'.repeat(65))).toMatch(/^[0-9A-Z]{26}$/);
    expect(await id()).not.toBe(await id());
  });

  it('has the hardening headers', async () => {
    for (const path of ['/api/health/live', '/api/nope', '/api/probe/crash']) {
      const { headers } = await service.client.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it("allows only the front end's origin", async () => {
    const preflight = (origin: string) =>
      service.client.send('OPTIONS', '/api/probe/me', {
        headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
      });
    const front = 'http://localhost:3001';
    expect((await preflight(front)).headers.get('access-control-allow-origin')).toBe(front);
    expect(
      (await preflight('https://evil.example')).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });
});

describe('Request validation', () => {
  it('drops unknown fields', async () => {
    const answer = await service.client.post('/api/probe/echo', {
      ...BODY,
      serverId: 3,
      admin: true,
    });
    expect(answer.body.data).toEqual({ name: 'x', serverId: 1 });
  });

  it('treats null as absent in an optional field', async () => {
    const answer = await service.client.post('/api/probe/echo', { ...BODY, note: null });
    expect(answer.body.data).toEqual({ name: 'x', serverId: 1 });
  });

  it('passes a single plain query parameter to its route', async () => {
    const answer = await service.client.get('/api/probe/word?word=x');
    expect(answer.body.data).toEqual({ word: 'x' });
  });

  it.each([
    [{ name: 1 }, ['name', 'server_id']],
    [{ name: { $ne: '' }, server_id: 1 }, ['name']],
    [{ name: ['x'], server_id: [1] }, ['name', 'server_id']],
    [{ name: 'x', server_id: '1' }, ['server_id']],
    [{ name: 'x', server_id: 1.5 }, ['server_id']],
    [{ name: 'x', server_id: true }, ['server_id']],
    [{ name: 'x', server_id: 10 }, ['server_id']],
    [{ name: '', server_id: 1 }, ['name']],
    [{ name: 'a\u0000b', server_id: 1 }, ['name']],
    [{ name: '\ud800', server_id: 1 }, ['name']],
    [{ name: 'x', server_id: 1, note: 7 }, ['note']],
    [JSON.parse('{"__proto__": {"name": "x", "server_id": 1}}') as object, ['name', 'server_id']],
  ])('rejects %j and names the fields', async (body, fields) => {
    const answer = await service.client.post('/api/probe/echo', body);
    expectError(answer, 'invalid_request');
    expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual(fields);
  });
});

describe('The rate limit', () => {
  const from = (address: string) => service.client.get('/api/nope', { from: address });

  it("counts an address's requests, even to unknown paths, and sends Retry-After", async () => {
    for (let request = 0; request < 20; request++)
      expect((await from('198.51.100.1')).status).toBe(404);
    const answer = await from('198.51.100.1');
    expectError(answer, 'too_many_requests');
    expect(answer.body.retry_after).toBeGreaterThan(0);
    expect(answer.headers.get('retry-after')).toBe(String(answer.body.retry_after));
    expect((await from('198.51.100.2')).status).toBe(404);
  });

  it('is shared by all routes, public or not', async () => {
    const { client } = service;
    const sender = { from: '198.51.100.5' };
    const routes = [
      () => client.get('/api/nope', sender),
      () => client.get('/api/server/list', sender),
      () => client.get('/api/probe/me', sender),
      () => client.post('/api/probe/echo', BODY, sender),
    ];
    const statuses = [];
    for (let round = 0; round < 6; round++)
      for (const route of routes) statuses.push((await route()).status);
    const rounds = Array.from({ length: 5 }, () => [404, 200, 401, 200]);
    expect(statuses).toEqual([...rounds.flat(), 429, 429, 429, 429]);
  });

  it('adds no header except Retry-After', async () => {
    const seen = [];
    for (let request = 0; request < 21; request++) seen.push(await from('198.51.100.6'));
    expect(seen.map(({ headers }) => headers.has('retry-after')).lastIndexOf(false)).toBe(19);
    const names = seen.flatMap(({ headers }) => [...headers.keys()]);
    expect(names.filter((name) => /ratelimit/i.test(name))).toEqual([]);
  });

  it('admits exactly the limit when all requests arrive in parallel', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => from('198.51.100.3')));
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(20);
  });

  it('counts an IPv6 client by its /64', async () => {
    for (let host = 1; host <= 20; host++) await from(`2001:db8:1:2::${host.toString(16)}`);
    expect((await from('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await from('2001:db8:1:3::1')).status).toBe(404);
  });

  it.each([
    ['/56', 4, (n: number) => `2001:db8:56:${(0x100 + n).toString(16)}::1`],
    ['/48', 16, (n: number) => `2001:db8:48:${(n << 8).toString(16)}::1`],
  ])(
    'limits an IPv6 %s network to %i times the limit of a single address',
    async (_, times, network) => {
      const statuses: number[] = [];
      // The requests are sent in parallel because sequential ones might outlast the limit's minute.
      for (let n = 0; n <= times; n++) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => from(network(n))));
        statuses.push(...answers.map(({ status }) => status));
      }
      expect(statuses.filter((status) => status === 404)).toHaveLength(20 * times);
      expect(statuses.slice(20 * times)).toEqual(Array(20).fill(429));
    },
  );

  it('exempts loopback and respects the settings', async () => {
    for (let request = 0; request < 25; request++)
      expect((await from('127.0.0.1')).status).toBe(404);
    await service.changeSettings({ rate_limit: { per_minute: 1000 } });
    expect((await from('198.51.100.1')).status).toBe(404);
  });

  it('exempts the configured game servers until they are removed from the list', async () => {
    const settings = { rate_limit: { per_minute: 2 }, game_server_ips: ['198.51.100.8/31'] };
    await service.changeSettings(settings);
    for (let request = 0; request < 5; request++)
      expect((await from('198.51.100.9')).status).toBe(404);
    await service.changeSettings({ ...settings, game_server_ips: [] });
    const statuses = [];
    for (let request = 0; request < 4; request++)
      statuses.push((await from('198.51.100.9')).status);
    expect(statuses).toEqual([404, 404, 429, 429]);
    // The count continues while the limit is raised and lowered again.
    await service.changeSettings({
      ...settings,
      rate_limit: { per_minute: 5 },
      game_server_ips: [],
    });
    expect((await from('198.51.100.9')).status).toBe(404);
    expect((await from('198.51.100.9')).status).toBe(429);
    await service.changeSettings({ rate_limit: { per_minute: 1000 } });
  });

  it('counts a request whose body cannot be parsed', async () => {
    await service.changeSettings({ rate_limit: { per_minute: 1 } });
    const broken = () => service.client.post('/api/probe/echo', '{', { from: '198.51.100.4' });
    expectError(await broken(), 'invalid_request');
    expectError(await broken(), 'too_many_requests');
    await service.changeSettings({ rate_limit: { per_minute: 1000 } });
  });
});

describe('The deny list', () => {
  const from = (address: string, path = '/api/health/live') =>
    service.client.get(path, { from: address });

  it('blocks listed addresses and networks on every path, and applies changed settings', async () => {
    expect((await from('203.0.113.9')).status).toBe(200);
    await service.changeSettings({
      deny_ip: ['203.0.113.0/28', '2001:db8:bad::/48', '::ffff:198.51.100.77', '192.0.2.1'],
    });
    for (const address of [
      '203.0.113.9',
      '::ffff:203.0.113.9',
      '2001:db8:bad::1',
      '2001:0DB8:0BAD:0000::2',
      '198.51.100.77',
      '192.0.2.1',
    ]) {
      expectError(await from(address), 'ip_denied');
      expectError(await from(address, '/api/docs'), 'ip_denied');
      expectError(await from(address, '/nope'), 'ip_denied');
    }
    for (const address of ['203.0.113.16', '2001:db8:bae::1', '192.0.2.2'])
      expect((await from(address)).status).toBe(200);
    await service.changeSettings({ deny_ip: [] });
    expect((await from('203.0.113.9')).status).toBe(200);
  });

  it('is checked before the rate limit and the request histogram, and its rejections count as errors', async () => {
    const numberOf = async (name: string) => {
      const { text: metrics } = await service.client.get('/api/metrics');
      const lines = metrics.split('\n').filter((line) => line.startsWith(name));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const requests = () => numberOf('gatehouse_http_request_seconds_count');
    const refusals = () => numberOf('gatehouse_errors_total{error="ip_denied"}');
    const denied = '203.0.113.12';
    await service.changeSettings({ rate_limit: { per_minute: 1 }, deny_ip: [denied] });
    const before = await refusals();
    const counted = await requests();
    for (const path of ['/api/nope', '/nope', '/api/docs'])
      expectError(await from(denied, path), 'ip_denied');
    expect(await refusals()).toBe(before + 3);
    // Each response with the metrics counts the earlier requests for them, but not its own.
    expect(await requests()).toBe(counted + 2);
    await service.changeSettings({ rate_limit: { per_minute: 1 } });
    expect((await from(denied, '/api/nope')).status).toBe(404);
    expect((await from(denied, '/api/nope')).status).toBe(429);
    await service.changeSettings({ rate_limit: { per_minute: 1000 } });
  });
});
