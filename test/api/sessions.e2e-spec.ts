import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { Session } from '../../src/platform/auth/session.entity.js';
import { PASSWORD } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { BrowserSession, cookieOf } from '../support/api/browser-session.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { ProbeModule } from '../support/api/probe.js';

const DAY = 24 * 60 * 60;
let service: TestApp;

beforeAll(async () => {
  service = await startApp({
    extraModules: [ProbeModule],
    settings: { rate_limit: { per_minute: 100_000 } },
  });
});
afterAll(() => service.stop());

const me = (token: string) => service.client.get('/api/probe/me', { token });
const list = async (token: string) =>
  (await service.client.get('/api/sessions', { token })).body.data.sessions;
const sessions = () => service.database.getRepository(Session);

async function signedIn(): Promise<{ player: Player; browser: BrowserSession }> {
  const player = await createPlayer(service);
  const browser = BrowserSession.of(service);
  expect((await browser.signIn(player.account, PASSWORD)).status).toBe(200);
  return { player, browser };
}

async function login({ account }: Player, request = {}): Promise<string> {
  const answer = await service.client.post('/api/login', { account, password: PASSWORD }, request);
  return answer.body.data.token;
}

describe('POST /api/login', () => {
  it('sets no cookie unless remember is true', async () => {
    const { account } = await createPlayer(service);
    for (const remember of [undefined, null, false]) {
      const body = { account, password: PASSWORD, remember };
      const answer = await service.client.post('/api/login', body);
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const body = { account, password: PASSWORD, remember: 'true' };
    expect((await service.client.post('/api/login', body)).body.error).toBe('invalid_request');
  });

  it('clears the cookie of the previous player when remember is not set', async () => {
    const { browser } = await signedIn();
    const { account } = await createPlayer(service);
    const headers = { Cookie: `gatehouse_session=${browser.cookie}` };
    const body = { account, password: PASSWORD };
    const answer = await service.client.post('/api/login', body, { headers });
    expect(cookieOf(answer)).toBe('');
  });

  it('does not invalidate an earlier token without a session', async () => {
    const player = await createPlayer(service);
    const token = tokenOf(service, player);
    expect((await me(token)).status).toBe(200);
    expect(await list(token)).toEqual([]);
    const newer = await login(player);
    expect(await list(token)).toMatchObject([{ current: false }]);
    const answer = await service.client.send('DELETE', '/api/sessions', { token });
    expect(answer.body.data).toEqual({ ended: 1 });
    expect((await me(newer)).body.error).toBe('unauthorized');
    expect((await me(token)).status).toBe(200);
  });
});

describe('POST /api/session/refresh', () => {
  const attributesOf = (header = '') =>
    header
      .split('; ')
      .slice(1)
      .filter((part) => !part.startsWith('Expires'));

  it('uses an HttpOnly cookie for /api that lasts 30 days', async () => {
    const { account } = await createPlayer(service);
    const answer = await BrowserSession.of(service).signIn(account, PASSWORD);
    const attributes = attributesOf(answer.headers.getSetCookie()[0]);
    const maxAge = `Max-Age=${30 * DAY}`;
    expect(attributes.toSorted()).toEqual(['HttpOnly', maxAge, 'Path=/api', 'SameSite=Lax']);
    expect(cookieOf(answer)).toMatch(/^\d+\.\d+\.[\w-]{43}$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('stores only a hash of the cookie', async () => {
    const { player, browser } = await signedIn();
    await browser.refresh();
    const [row] = await service.database.query('SELECT * FROM session WHERE player_id = ?', [
      player.id,
    ]);
    const secret = browser.cookie.split('.')[2]!;
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row.cookie_hash).toHaveLength(43);
  });

  it('accepts a cookie for 30 days after its last use', async () => {
    const { browser } = await signedIn();
    await withClockAhead(29 * DAY, () => browser.refresh());
    expect((await withClockAhead(58 * DAY, () => browser.refresh())).status).toBe(200);
    const answer = await withClockAhead(89 * DAY, () => browser.refresh());
    expect(answer.body.error).toBe('session_ended');
  });

  it('ends the session when the owner uses a cookie that a thief has replaced', async () => {
    const { browser } = await signedIn();
    const thief = browser.copy();
    await thief.refresh();
    await withClockAhead(31, () => thief.refresh());
    expect((await withClockAhead(40, () => browser.refresh())).body.error).toBe('session_ended');
    expect((await me(thief.token)).body.error).toBe('unauthorized');
    expect((await thief.refresh()).body.error).toBe('session_ended');
  });

  it('ends the session for a cookie older than the previous one, even within 30 seconds', async () => {
    const { browser } = await signedIn();
    const thief = browser.copy();
    await browser.refresh();
    await browser.refresh();
    expect((await thief.refresh()).body.error).toBe('session_ended');
    expect((await browser.refresh()).body.error).toBe('session_ended');
  });

  it('ends the session when a failover lost the last rotation', async () => {
    const { player, browser } = await signedIn();
    const before = await sessions().findOneOrFail({
      select: { playerId: true, id: true, cookieHash: true },
      where: { playerId: player.id },
    });
    const old = browser.copy();
    await browser.refresh();
    const lost = { previousHash: null, cookieSalt: null, rotatedAt: null };
    await sessions().save(Object.assign(before, lost));
    expect((await browser.refresh()).body.error).toBe('session_ended');
    for (const each of [browser, old]) {
      expect((await me(each.token)).body.error).toBe('unauthorized');
      expect((await each.refresh()).body.error).toBe('session_ended');
    }
    expect((await browser.signIn(player.account, PASSWORD)).status).toBe(200);
    expect((await browser.refresh()).status).toBe(200);
  });

  it.each(['https://evil.example', 'http://localhost:3002', 'null', ''])(
    'rejects the Origin "%s" and keeps session and cookie',
    async (Origin) => {
      const { browser } = await signedIn();
      const refused = await browser.refresh({ Origin });
      expect(refused.body.error).toBe('session_ended');
      expect((await browser.logout({ Origin })).body.error).toBe('unauthorized');
      expect((await me(browser.token)).status).toBe(200);
      expect((await browser.refresh()).status).toBe(200);
    },
  );

  it('keeps the cookie when a form on another site asks for a refresh', async () => {
    // Browsers send no SameSite=Lax cookie with it, but would obey a Set-Cookie in the answer.
    const Origin = 'https://evil.example';
    const answer = await service.client.send('POST', '/api/session/refresh', {
      headers: { Origin, 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.body.error).toBe('session_ended');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it.each(['', 'x', '1.1', `1.1.${'a'.repeat(43)}`, `1.1.${'a'.repeat(5000)}`, '%00', '..'])(
    'rejects the cookie "%s"',
    async (cookie) => {
      const browser = BrowserSession.of(service);
      browser.cookie = cookie;
      expect((await browser.refresh()).body.error).toBe('session_ended');
    },
  );

  it('rejects a cookie for a session without one', async () => {
    const player = await createPlayer(service);
    const token = await login(player);
    const { sid } = decodeJwt(token);
    const browser = BrowserSession.of(service);
    browser.cookie = `${player.id}.${String(sid)}.${'a'.repeat(43)}`;
    expect((await browser.refresh()).body.error).toBe('session_ended');
    expect((await me(token)).status).toBe(200);
  });

  it('rejects a disabled account and works again once it is enabled', async () => {
    const { player, browser } = await signedIn();
    const players = service.database.getRepository(Player);
    await players.update(player.id, { disabledAt: new Date() });
    expect((await browser.refresh()).body.error).toBe('account_disabled');
    await players.update(player.id, { disabledAt: null });
    expect((await browser.refresh()).status).toBe(200);
  });

  it('rejects a session of an older account version', async () => {
    const { player, browser } = await signedIn();
    await service.database.getRepository(Player).update(player.id, { ver: 1 });
    expect((await browser.refresh()).body.error).toBe('session_ended');
    expect(await list(tokenOf(service, player, { ver: 1 }))).toEqual([]);
  });

  it('is not offered when remember_days is 0', async () => {
    const { player, browser } = await signedIn();
    await service.changeSettings({ session: { remember_days: 0 } });
    const { data } = (await service.client.get('/api/config')).body;
    expect(data.remember).toEqual({ enabled: false, days: 0 });
    const answer = await BrowserSession.of(service).signIn(player.account, PASSWORD);
    expect(cookieOf(answer)).toBeUndefined();
    expect((await browser.refresh()).body.error).toBe('session_ended');
    await service.changeSettings({ session: { remember_days: 7 } });
    const week = await BrowserSession.of(service).signIn(player.account, PASSWORD);
    expect(week.headers.getSetCookie()[0]).toContain(`Max-Age=${7 * DAY};`);
    await service.changeSettings({});
  });

  it('uses a Secure cookie under https and none for a front end of another site', async () => {
    const env = {
      PUBLIC_URL: 'https://api.game.example',
      FRONTEND_URL: 'https://play.game.example',
    };
    const near = await startApp({ env });
    const { account } = await createPlayer(near);
    const answer = await BrowserSession.of(near).signIn(account, PASSWORD);
    expect(attributesOf(answer.headers.getSetCookie()[0])).toContain('Secure');
    const preflight = await near.client.send('OPTIONS', '/api/session/refresh', {
      headers: { Origin: env.FRONTEND_URL, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(env.FRONTEND_URL);
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
    await near.stop();
    const far = await startApp({ env: { ...env, FRONTEND_URL: 'https://other.example' } });
    expect((await far.client.get('/api/config')).body.data.remember.enabled).toBe(false);
    const player = await createPlayer(far);
    const stranger = await BrowserSession.of(far).signIn(player.account, PASSWORD);
    expect([stranger.status, cookieOf(stranger)]).toEqual([200, undefined]);
    await far.stop();
  });
});

describe('POST /api/logout', () => {
  it('accepts the cookie alone or the token alone', async () => {
    const { player, browser } = await signedIn();
    const other = await login(player);
    expect((await browser.copy().logout()).status).toBe(200);
    expect((await browser.refresh()).body.error).toBe('session_ended');
    expect((await me(browser.token)).body.error).toBe('unauthorized');
    expect((await me(other)).status).toBe(200);
    const answer = await service.client.send('POST', '/api/logout', { token: other });
    expect(answer.status).toBe(200);
    expect((await me(other)).body.error).toBe('unauthorized');
  });

  it('can be repeated and accepts a token without a session', async () => {
    const { player, browser } = await signedIn();
    const copy = browser.copy();
    for (const each of [browser, copy]) expect((await each.logout()).status).toBe(200);
    const old = tokenOf(service, player);
    const answer = await service.client.send('POST', '/api/logout', { token: old });
    expect(answer.status).toBe(200);
  });

  it('rejects a request without cookie and token', async () => {
    const answer = await service.client.send('POST', '/api/logout');
    expect(answer.body.error).toBe('unauthorized');
    const garbage = await service.client.send('POST', '/api/logout', { token: 'garbage' });
    expect(garbage.body.error).toBe('unauthorized');
  });

  it('does not end a session for a forged cookie', async () => {
    const { player, browser } = await signedIn();
    const forger = browser.copy();
    forger.cookie = `${player.id}.${String(decodeJwt(browser.token).sid)}.${'a'.repeat(43)}`;
    await forger.logout();
    expect((await me(browser.token)).status).toBe(200);
  });
});

describe('/api/sessions', () => {
  const end = (token: string, id: unknown) =>
    service.client.send('DELETE', `/api/sessions/${String(id)}`, { token });

  it('does not end a session of another player', async () => {
    const [mine, theirs] = [await createPlayer(service), await createPlayer(service)];
    const token = await login(mine);
    const foreign = await login(theirs);
    const answer = await end(token, decodeJwt(foreign).sid);
    expect([answer.status, answer.body.error]).toEqual([404, 'session_not_found']);
    await service.client.send('DELETE', '/api/sessions', { token });
    expect((await me(foreign)).status).toBe(200);
  });

  it.each(['0', '-1', '1.5', 'x', '9'.repeat(15), '9'.repeat(40), '1%20OR%201=1', '%00'])(
    'rejects the session id %s',
    async (id) => {
      const token = await login(await createPlayer(service));
      expect((await end(token, id)).body.error).toBe('session_not_found');
      expect((await me(token)).status).toBe(200);
    },
  );
});
