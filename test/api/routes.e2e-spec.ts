import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { prioritizedRoutes } from '../../src/platform/http/limits/route-priorities.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { PASSWORD } from '../support/accounts.js';
import { addServer, createPlayer, tokenOf } from '../support/api/factories.js';
import { rawRequest } from '../support/api/raw-request.js';

/** Lists the routes that need no JWT, so that making a route public requires two changes. */
const PUBLIC = [
  'GET /api/challenge',
  'GET /api/check',
  'GET /api/config',
  'GET /api/forumauth/authorize',
  'GET /api/forumauth/callback',
  'GET /api/health/live',
  'GET /api/health/ready',
  'GET /api/link',
  'GET /api/metrics',
  'GET /api/misc/agree',
  'GET /api/server/list',
  'POST /api/account/email/undo',
  'POST /api/bind_account',
  'POST /api/check',
  'POST /api/forumauth/bind',
  'POST /api/login',
  'POST /api/login/passkey',
  'POST /api/login/passkey/options',
  'POST /api/login/second',
  'POST /api/login/second/options',
  'POST /api/logout',
  'POST /api/register',
  'POST /api/report/chat',
  'POST /api/reset_password',
  'POST /api/send_code',
  'POST /api/session/refresh',
];
const DOCUMENTS_AND_FALLBACK = /^GET \/api\/(docs|openapi\.json)|\*path\\?\}$/;
const PROTECTED = [
  'DELETE /api/account/passkeys/{id}',
  'DELETE /api/account/totp',
  'DELETE /api/sessions',
  'DELETE /api/sessions/{id}',
  'GET /api/account',
  'GET /api/account/export',
  'GET /api/account/sign_ins',
  'GET /api/bind',
  'GET /api/game/roles',
  'GET /api/game/withdraw',
  'GET /api/game/withdraw/{id}',
  'GET /api/server/mine',
  'GET /api/sessions',
  'POST /api/account/close',
  'POST /api/account/email',
  'POST /api/account/keep',
  'POST /api/account/name',
  'POST /api/account/passkeys',
  'POST /api/account/passkeys/options',
  'POST /api/account/password',
  'POST /api/account/recovery_codes',
  'POST /api/account/totp',
  'POST /api/account/totp/confirm',
  'POST /api/enter_game',
  'POST /api/game/withdraw',
  'POST /api/session/confirm',
  'POST /api/session/confirm/options',
  'POST /api/unbind',
];
/** Lists public routes that act for a player if a JWT is sent. */
const OPTIONAL = ['POST /api/forumauth/bind', 'POST /api/logout'];
/** Monitoring polls these routes often, so they have no rate limit. */
const UNLIMITED = ['GET /api/health/live', 'GET /api/health/ready', 'GET /api/metrics'];

interface Operation {
  security: object[];
  responses: Record<string, { content?: object; description: string }>;
}
/** Returns whether a caller without credentials is admitted. */
const isOpen = (security: object[]) =>
  security.length === 0 || security.some((way) => Object.keys(way).length === 0);
const isBearer = (way: object) => Object.keys(way).length > 0;
let service: TestApp;
let operations: Map<string, Operation>;

beforeAll(async () => {
  service = await startApp();
  const { paths } = (await service.client.get('/api/openapi.json')).body;
  operations = new Map(
    Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    ),
  );
});
afterAll(() => service.stop());

/** Returns the served routes in Express's form, such as `DELETE /api/sessions/:id`. */
function servedRoutes(): string[] {
  const { router } = service.app.getHttpAdapter().getInstance();
  return router.stack.flatMap(({ route }) =>
    (route?.stack ?? []).map(({ method }) => `${method.toUpperCase()} ${route!.path}`),
  );
}

describe('The routes', () => {
  it('are all in openapi.json, except for the documentation and the fallback', () => {
    const served = servedRoutes();
    const undocumented = served
      .map((name) => name.replace(/:(\w+)/g, '{$1}'))
      .filter((name) => !operations.has(name) && !DOCUMENTS_AND_FALLBACK.test(name));
    expect(undocumented).toEqual([]);
    expect(served.length).toBeGreaterThan(operations.size);
  });

  it('all declare their @Priority()', () => {
    const priorities = new Map(prioritizedRoutes(service.app));
    const served = servedRoutes().filter((name) => !DOCUMENTS_AND_FALLBACK.test(name));
    expect(served.length).toBeGreaterThan(30);
    expect(served.filter((name) => !priorities.get(name))).toEqual([]);
  });

  it('that need no JWT are exactly the public routes of the specification', () => {
    const open = [...operations].filter(([, { security }]) => isOpen(security));
    expect(open.map(([name]) => name).toSorted()).toEqual(PUBLIC);
  });

  it('that need a JWT are exactly those that this file lists, and reject a request without one', async () => {
    const guarded = [...operations.keys()].filter((name) => !PUBLIC.includes(name)).toSorted();
    expect(guarded).toEqual(PROTECTED);
    for (const name of guarded) {
      const [method = '', path = ''] = name.split(' ');
      const answer = await service.client.send(method, path.replace(/\{\w+\}/g, '1'));
      expect(answer.body.error, name).toBe('unauthorized');
    }
  });

  it('that read a JWT all reject a game token', async () => {
    const { id } = await addServer(service.database);
    const { account } = await createPlayer(service);
    const { client } = service;
    const { token } = (await client.post('/api/login', { account, password: PASSWORD })).body.data;
    const entered = await client.post('/api/enter_game', { server_id: id }, { token });
    const gameToken = entered.body.data.token;
    const readers = [...operations].filter(([, { security }]) => security.some(isBearer));
    expect(readers.map(([name]) => name).toSorted()).toEqual(
      [...PROTECTED, ...OPTIONAL].toSorted(),
    );
    for (const [name] of readers) {
      const [method = '', path = ''] = name.split(' ');
      const body = method === 'POST' ? { server_id: id } : undefined;
      const request = { token: gameToken, body };
      const answer = await client.send(method, path.replace(/\{\w+\}/g, '1'), request);
      expect(answer.body.error, name).toBe('unauthorized');
    }
    // No route has ended the session, not even the sign-out route.
    const check = await client.post('/api/check', { account, token: gameToken });
    expect(check.body.data).toEqual({ account, format: 'jwt' });
  });

  it('are documented with their responses and errors', () => {
    for (const [name, { responses }] of operations) {
      const success = Object.entries(responses).filter(([status]) => Number(status) < 400);
      expect(success, name).not.toHaveLength(0);
      for (const status of ['403', '500'])
        expect(responses[status], `${name} ${status}`).toBeDefined();
      expect('429' in responses, `${name} 429`).toBe(!UNLIMITED.includes(name));
      for (const { description } of Object.values(responses)) expect(description).not.toBe('');
    }
  });
});

describe('POST /api/account/recovery_codes', () => {
  it('documents the 400 for an account without a second factor', async () => {
    const { account } = await createPlayer(service);
    const login = await service.client.post('/api/login', { account, password: PASSWORD });
    const { token } = login.body.data;
    const answer = await service.client.post('/api/account/recovery_codes', {}, { token });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    const name = 'POST /api/account/recovery_codes';
    expect(operations.get(name)!.responses['400']?.description).toContain('invalid_request');
  });
});

describe('The Cache-Control header', () => {
  it('is no-store unless the response is the same for every caller', async () => {
    const token = tokenOf(service, await createPlayer(service));
    const cacheOf = async (path: string) => {
      const answer = await service.client.get(path, { token });
      expect(answer.status, path).toBe(200);
      return answer.headers.get('cache-control');
    };
    expect(await cacheOf('/api/game/withdraw')).toBe('no-store');
    expect(await cacheOf('/api/health/live')).toBe('no-store');
    expect(await cacheOf('/api/config')).toBe('public, max-age=5');
    for (const path of ['/api/server/list', '/api/misc/agree', '/api/openapi.json'])
      expect(await cacheOf(path)).toBe('no-cache');
    const report = await service.client.post('/api/report/chat', { records: [] });
    expect(report.headers.get('cache-control')).toBe('no-store');
  });
});

describe('The routes without a rate limit', () => {
  it('are only the health routes and the metrics', async () => {
    await service.changeSettings({ rate_limit: { per_minute: 1 } });
    for (const name of UNLIMITED)
      for (let time = 0; time < 3; time++) {
        const from = '198.51.100.7';
        const { status } = await service.client.get(name.split(' ')[1]!, { from });
        expect(status, name).toBe(name.endsWith('metrics') ? 403 : 200);
      }
    // These requests did not use up any other limit of the address either.
    const elsewhere = () => service.client.get('/api/server/list', { from: '198.51.100.7' });
    expect((await elsewhere()).status).toBe(200);
    expect((await elsewhere()).status).toBe(429);
    await service.changeSettings({});
  });
});

describe('An address on the deny list', () => {
  it('is rejected by every route and by everything served before the guards', async () => {
    const from = '203.0.113.9';
    const legacy = { gone: ['/gone', '/api/gone'], login: ['/login'] };
    await service.changeSettings({ deny_ip: [from], legacy });
    const elsewhere = [
      'GET /',
      'GET /icon.svg',
      'GET /nope',
      'GET /gone',
      'GET /login',
      'GET /sandbox',
      'GET /api',
      'GET /api/nope',
      'GET /api/gone',
      'GET /api/%zz',
      'GET /api/docs',
      'GET /api/docs/swagger-ui.css',
      'GET /api/openapi.json',
      'OPTIONS /api/login',
    ];
    for (const name of [...operations.keys(), ...elsewhere]) {
      const [method = '', path = ''] = name.split(' ');
      const answer = await service.client.send(method, path.replace(/\{\w+\}/g, '1'), { from });
      expect([answer.status, answer.body.code], name).toEqual([403, 40300]);
      expect(answer.headers.get('x-request-id'), name).toBe(answer.body.request_id);
    }
    for (const path of ['/', '/api/server/list']) {
      const options = { setHost: false, headers: { 'X-Forwarded-For': from } };
      expect((await rawRequest(service.url, path, options)).status, path).toBe(403);
    }
    await service.changeSettings({});
  });
});

describe('GET /api/openapi.json', () => {
  it('is serialised once and returns 304 for a matching ETag', async () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const first = await rawRequest(service.url, '/api/openapi.json');
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
    const headers = { 'If-None-Match': first.headers.etag! };
    const again = await rawRequest(service.url, '/api/openapi.json', { headers });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const asked = stringify.mock.calls.filter(([value]) => 'openapi' in Object(value));
    stringify.mockRestore();
    expect(asked).toEqual([]);
  });
});

describe('GET /api/docs', () => {
  it('serves Swagger UI with a policy that allows only its own scripts', async () => {
    const page = await service.client.get('/api/docs');
    expect(page.status).toBe(200);
    expect(page.text).toContain('swagger-ui');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const files = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect((await service.client.get(new URL(file, 'http://x/api/docs').pathname)).status).toBe(
        200,
      );
    for (const path of ['/api/docs/package.json', '/api/docs-yaml'])
      expect((await service.client.get(path)).body.error, path).toBe('not_found');
  });
});
