import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC } from '../../../src/platform/auth/auth.decorators.js';
import { type Role, ROLES } from '../../../src/operators/actions/operators/operator.entity.js';
import { ROLES_KEY } from '../../../src/operators/desk/http/desk-route.decorator.js';
import { NotFoundController } from '../../../src/platform/not-found/not-found.controller.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { type DeskUser, deskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { rawRequest } from '../../support/api/raw-request.js';

let service: TestApp;
let desk: TestDesk;
let sessions: Record<Role, DeskUser>;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  const signedIn = ROLES.map(async (role) => [role, await deskUser(desk, role)] as const);
  sessions = Object.fromEntries(await Promise.all(signedIn)) as Record<Role, DeskUser>;
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

interface Route {
  name: string;
  method: string;
  path: string;
  isPublic: boolean;
  roles: Role[] | undefined;
}

const withoutParameters = (path: string) => path.replaceAll(/:\w+/g, '1');

function routesOf({ app }: TestDesk): Route[] {
  const controllers = [...app.get(ModulesContainer).values()]
    .flatMap(({ controllers: own }) => [...own.values()])
    .map(({ metatype }) => metatype as Type)
    .filter((controller) => controller !== NotFoundController);
  return controllers.flatMap((controller) => {
    const handlers = Object.getOwnPropertyNames(controller.prototype)
      .map((name) => (controller.prototype as Record<string, object>)[name]!)
      .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler));
    const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
    return handlers.map((handler): Route => {
      const own = Reflect.getMetadata(PATH_METADATA, handler) as string;
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!;
      const parts = ['api', base, own].map((part) => part.replaceAll(/^\/|\/$/g, ''));
      const path = withoutParameters(`/${parts.filter(Boolean).join('/')}`);
      const roles = Reflect.getMetadata(ROLES_KEY, handler) as Role[] | undefined;
      const isPublic = Reflect.getMetadata(PUBLIC, handler) === true;
      return { name: `${method} ${path}`, method, path, isPublic, roles };
    });
  });
}

const answerOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  `${status} ${String(body.error)}`;

describe('Every desk route', () => {
  it('declares its roles unless it is public', () => {
    const routes = routesOf(desk);
    const { router } = desk.app.getHttpAdapter().getInstance();
    const served = router.stack.flatMap(({ route }) =>
      (route?.stack ?? []).map(({ method }) => `${method.toUpperCase()} ${route!.path}`),
    );
    // An imported module could add another feature's controllers, whose routes must not be served.
    const ours = served.filter((name) => !name.includes('*')).map(withoutParameters);
    expect(ours.toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
    expect(ours).toContain('POST /api/sign_out');
    expect(routes.filter(({ isPublic }) => isPublic).map(({ name }) => name)).toEqual([
      'POST /api/sign_in',
      'POST /api/enrol',
    ]);
    const unsaid = routes.filter(({ isPublic, roles = [] }) => !isPublic && roles.length === 0);
    expect(unsaid.map(({ name }) => name)).toEqual([]);
  });

  it('is a GET or a POST, and only admins manage operators', () => {
    for (const { name, method, path, roles } of routesOf(desk)) {
      expect(['GET', 'POST'], name).toContain(method);
      if (path.includes('operator')) expect(roles, name).toEqual(['admin']);
    }
  });

  it('rejects a missing session, an invented session and another role', async () => {
    for (const { name, method, path, isPublic, roles } of routesOf(desk)) {
      if (isPublic) continue;
      const body = method === 'POST' ? {} : undefined;
      expect(answerOf(await desk.client.send(method, path, { body })), name).toBe(
        '401 unauthorized',
      );
      const headers = { Cookie: `gatehouse_desk=${'A'.repeat(43)}`, 'X-Desk-Token': 'x' };
      expect(answerOf(await desk.client.send(method, path, { body, headers })), name).toBe(
        '401 unauthorized',
      );
      for (const role of ROLES.filter((each) => !roles!.includes(each))) {
        const { get, post } = sessions[role];
        const answer = await (method === 'POST' ? post(path) : get(path));
        expect(answerOf(answer), `${name} as ${role}`).toBe('403 forbidden');
      }
    }
  });

  it("rejects a POST without its own session's token", async () => {
    for (const { name, method, path, isPublic, roles } of routesOf(desk)) {
      if (isPublic || method !== 'POST') continue;
      const { post } = sessions[roles![0]!];
      const other = ROLES.find((role) => role !== roles![0])!;
      for (const token of ['', 'x', sessions[other].token])
        expect(answerOf(await post(path, {}, { 'X-Desk-Token': token })), name).toBe(
          '403 forbidden',
        );
    }
    expect((await sessions.admin.get('/api/session')).status).toBe(200);
  });

  it("returns not_found on the players' port, even for an operator", async () => {
    for (const { name, method, path } of routesOf(desk)) {
      const { cookie: Cookie, token } = sessions.admin;
      const headers = { Cookie, 'X-Desk-Token': token };
      const body = method === 'POST' ? {} : undefined;
      const answer = await service.client.send(method, path, { headers, body });
      expect(answerOf(answer), name).toBe('404 not_found');
    }
  });
});

describe('A cross-site request', () => {
  const post = (headers: Record<string, string>, path = '/api/sign_out') => {
    const { cookie: Cookie, token } = sessions.support;
    const own = { Cookie, 'X-Desk-Token': token, 'Content-Type': 'application/json' };
    return rawRequest(desk.url, path, { method: 'POST', headers: { ...own, ...headers } }, '{}');
  };
  const get = (headers: Record<string, string>, path = '/api/session') =>
    rawRequest(desk.url, path, { headers: { Cookie: sessions.support.cookie, ...headers } });

  it.each([
    ['from another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['from another port of this machine', { 'Sec-Fetch-Site': 'same-site' }],
    ['from an old browser on another site', { Origin: 'https://evil.example' }],
    ['from a sandboxed frame', { Origin: 'null' }],
    ['that was not started by a page', { 'Sec-Fetch-Site': 'none' }],
    // With DNS rebinding, the browser treats the page as same-origin, so it can send any header.
    ['to an unknown host name', { Host: 'evil.example', Origin: 'http://evil.example' }],
    ['to an unknown host name with a port', { Host: 'evil.example:3002' }],
    ['with a forged X-Forwarded-Host', { Host: 'evil.example', 'X-Forwarded-Host': 'localhost' }],
    ["to a host name that begins like the desk's", { Host: 'localhost.evil.example' }],
    ['to a host name that begins like an address', { Host: '127.0.0.1.evil.example' }],
    ['to a malformed host', { Host: 'a@127.0.0.1' }],
  ])('is rejected as a POST %s', async (_, headers) => {
    for (const path of ['/api/sign_out', '/api/sign_in']) {
      const { status, body } = await post(headers, path);
      expect([status, JSON.parse(String(body)).error]).toEqual([403, 'forbidden']);
    }
    expect((await get({})).status).toBe(200);
  });

  it.each([
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['to an unknown host name', { Host: 'evil.example' }],
  ])('is rejected as a GET %s', async (_, headers) => {
    expect((await get(headers)).status).toBe(403);
  });

  it("is told apart from the desk's own by the Host header, whatever port a tunnel uses", async () => {
    for (const Host of ['127.0.0.1:3002', 'localhost:8443', '[::1]:3002', '192.0.2.7'])
      expect((await get({ Host, 'Sec-Fetch-Site': 'same-origin' })).status, Host).toBe(200);
    const named = await startDesk(service, { DESK_HOST: 'desk.internal' });
    const answer = await rawRequest(named.url, '/api/session', {
      headers: { Host: 'desk.internal' },
    });
    expect(answer.status).toBe(401);
    await named.stop();
  });
});

describe('Every desk response', () => {
  it('forbids caching, framing and sniffing', async () => {
    for (const { headers } of [
      await sessions.admin.get('/api/session'),
      await desk.client.get('/api/session'),
      await desk.client.get('/api/nothing'),
    ]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none';frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('grants nothing to a preflight request from another origin', async () => {
    const headers = { Origin: 'http://localhost:3001', 'Access-Control-Request-Method': 'POST' };
    const answer = await desk.client.send('OPTIONS', '/api/sign_out', { headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-methods')).toBeNull();
  });
});

describe('An address on the deny list', () => {
  it('is rejected before any other check', async () => {
    await service.changeSettings({ deny_ip: ['203.0.113.9'] });
    const denying = await startDesk(service);
    const headers = { Origin: 'https://evil.example' };
    for (const path of ['/', '/nothing', '/api/session', '/api/nothing'])
      for (const request of [{}, { headers }]) {
        const answer = await denying.client.get(path, { ...request, from: '203.0.113.9' });
        expect(answer.body.error, path).toBe('ip_denied');
      }
    const withoutHost = { setHost: false, headers: { 'X-Forwarded-For': '203.0.113.9' } };
    expect((await rawRequest(denying.url, '/', withoutHost)).status).toBe(403);
    await denying.stop();
    await service.changeSettings({});
  });
});
