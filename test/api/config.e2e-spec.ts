import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, startApp } from '../support/api/app.js';

const HOUR_MS = 3_600_000;
let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.stop());

describe('GET /api/config', () => {
  const config = async () => (await service.client.get('/api/config')).body.data;

  it('returns what a front end needs and is cacheable for five seconds', async () => {
    const answer = await service.client.get('/api/config');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=5');
    expect(answer.body.data).toEqual({
      withdraw: {
        enabled: true,
        min: 100,
        max: 100_000,
        daily_max: 500_000,
        currency: 'yuanbao',
        destination: null,
      },
      registration: { open: true },
      password: { min_length: 8 },
      code: { length: 6, expires_in: 60, resend_in: 60 },
      forum_login: { enabled: false },
      remember: { enabled: true, days: 30 },
      trust: { enabled: true, days: 30 },
      account: { close_days: 7 },
      notices: [],
      legal: [],
      support_url: null,
      privacy_url: null,
      game_client_url: null,
    });
  });

  it('reflects changed settings', async () => {
    const destination = { zh: '商城余额', en: 'your balance in the shop' };
    await service.changeSettings({
      withdraw: { enabled: false, min: 5, currency: 'gold', destination },
      day_max_reg: 0,
      verify: { cooldown: 90 },
      password: { min_length: 12 },
      game_client_url: 'https://play.example/client',
    });
    expect(await config()).toMatchObject({
      withdraw: { enabled: false, min: 5, max: 100_000, currency: 'gold', destination },
      registration: { open: false },
      code: { resend_in: 90 },
      password: { min_length: 12 },
      game_client_url: 'https://play.example/client',
    });
    await service.changeSettings({ day_max_reg: null });
    expect((await config()).registration.open).toBe(true);
  });

  it('returns the current notices and the contact addresses', async () => {
    const text = { zh: '维护', en: 'maintenance' };
    const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    const inShanghai = (time: string) =>
      new Date(Date.parse(time) + 8 * HOUR_MS).toISOString().replace('Z', '+08:00');
    const [before, after] = [at(-1), at(1)];
    await service.changeSettings({
      notices: [
        { text, from: inShanghai(before), until: inShanghai(after), level: 'warning' },
        { text, from: after },
        { text, until: before },
        { text, link: 'https://forum.example/7' },
      ],
      legal: [{ text }, { text, link: 'https://beian.miit.gov.cn/' }],
      support_url: 'mailto:help@example.com',
      privacy_url: 'https://example.com/privacy',
    });
    expect(await config()).toMatchObject({
      notices: [
        { text, level: 'warning', from: before, until: after, link: null },
        { text, level: 'info', from: null, until: null, link: 'https://forum.example/7' },
      ],
      legal: [
        { text, link: null },
        { text, link: 'https://beian.miit.gov.cn/' },
      ],
      support_url: 'mailto:help@example.com',
      privacy_url: 'https://example.com/privacy',
    });
  });

  it('offers the forum login if it is configured, without exposing its URLs', async () => {
    const withForum = await startApp({
      env: {
        FORUM_AUTHORIZE_URL: 'https://forum.example/authorize',
        FORUM_TOKEN_URL: 'https://forum.example/token',
        FORUM_USERINFO_URL: 'https://forum.example/me',
        FORUM_CLIENT_ID: 'gatehouse',
        FORUM_CLIENT_SECRET: 'known-to-nobody-else',
      },
    });
    const answer = await withForum.client.get('/api/config');
    expect(answer.body.data.forum_login).toEqual({ enabled: true });
    expect(answer.text).not.toMatch(/forum\.example|known-to/);
    await withForum.stop();
  });
});

describe('/api/forumauth without a configured forum', () => {
  it('returns not_found on every path', async () => {
    for (const path of ['authorize', 'callback', 'callback?code=x&state=y'])
      expect((await service.client.get(`/api/forumauth/${path}`)).body.error).toBe('not_found');
    expect((await service.client.post('/api/forumauth/bind', {})).body.error).toBe('not_found');
  });
});
