import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, startApp } from '../support/api/app.js';
import { rawRequest } from '../support/api/raw-request.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
let service: TestApp;

beforeAll(async () => {
  service = await startApp({ env: { FRONTEND_URL: 'https://play.example/game/' } });
});
afterAll(() => service.stop());

describe('A retired entry point', () => {
  it.each(['/api', '/api.php', '/callback', '/callback.php', '/server', '/server.php'])(
    'returns 410 at %s for every method',
    async (path) => {
      for (const method of METHODS) {
        const answer = await service.client.send(method, path);
        expect(answer.status, method).toBe(410);
        if (method !== 'HEAD') expect(answer.body).toMatchObject({ code: 41000, error: 'gone' });
      }
    },
  );

  it.each(['/login', '/login.php'])(
    'redirects %s to the front end for every method',
    async (path) => {
      for (const method of METHODS) {
        const answer = await service.client.send(method, path);
        expect(answer.status, method).toBe(301);
        expect(answer.headers.get('location')).toBe('https://play.example/game/signin');
      }
    },
  );

  it('is recognised regardless of case, with a trailing slash and with a query', async () => {
    for (const path of ['/API', '/api/', '/api?do=login', '/Server.PHP', '/callback/?code=1'])
      expect((await service.client.get(path)).body.error, path).toBe('gone');
    const answer = await service.client.get('/LOGIN.php/?do=microClient&next=//evil.example');
    expect(answer.headers.get('location')).toBe('https://play.example/game/signin');
  });

  it('does not match similar paths', async () => {
    expect((await service.client.get('/api/server/list')).status).toBe(200);
    for (const path of ['/api/login.php', '/logins', '/login/x', '/server/list', '//login'])
      expect((await service.client.get(path)).body.error, path).toBe('not_found');
  });

  it("ignores the caller's Host headers", async () => {
    const { headers } = await rawRequest(service.url, '/login', {
      headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
    });
    expect(headers.location).toBe('https://play.example/game/signin');
  });

  it('respects the settings and the deny list', async () => {
    await service.changeSettings({
      deny_ip: ['203.0.113.9'],
      legacy: { gone: ['/old.asp', '/api/old'], login: ['/enter/'] },
    });
    expect((await service.client.get('/old.asp')).body.error).toBe('gone');
    expect((await service.client.get('/enter')).status).toBe(301);
    expect((await service.client.get('/login')).body.error).toBe('not_found');
    for (const path of ['/old.asp', '/api/old', '/enter'])
      expect((await service.client.get(path, { from: '203.0.113.9' })).body.error).toBe(
        'ip_denied',
      );
  });
});
