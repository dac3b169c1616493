import { decodeJwt } from 'jose';
import { IsNull } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoginEvent } from '../../src/platform/audit/audit.entity.js';
import { LoginEventLog } from '../../src/platform/audit/login-event-log.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { PASSWORD } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { BrowserSession, cookieOf } from '../support/api/browser-session.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { statementsOfRequests } from '../support/api/request-statements.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { sessionRequests, startSessionsApp } from '../support/api/sessions.js';

const DAY = 24 * 60 * 60;
let service: TestApp;

beforeAll(async () => {
  service = await startSessionsApp();
});
afterAll(() => service.stop());

const { me, list, sessions, signedIn, login } = sessionRequests(() => service);

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

  it("clears the previous player's cookie if remember is not set", async () => {
    const { browser } = await signedIn();
    const { account } = await createPlayer(service);
    const headers = { Cookie: `gatehouse_session=${browser.cookie}` };
    const body = { account, password: PASSWORD };
    const answer = await service.client.post('/api/login', body, { headers });
    expect(cookieOf(answer)).toBe('');
  });

  it('keeps an earlier token that has no session valid', async () => {
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
    expect(cookieOf(answer)).toMatch(/^\d+\.\d+\.[\w-]{43}\.[\w-]{43}$/);
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

  it('ends the session if the owner uses a cookie that a thief has replaced', async () => {
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

  it('ends the session if a failover lost the last rotation', async () => {
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
    'rejects the Origin "%s" and keeps the session and the cookie',
    async (Origin) => {
      const { browser } = await signedIn();
      const refused = await browser.refresh({ Origin });
      expect(refused.body.error).toBe('session_ended');
      expect((await browser.logout({ Origin })).body.error).toBe('unauthorized');
      expect((await me(browser.token)).status).toBe(200);
      expect((await browser.refresh()).status).toBe(200);
    },
  );

  it('keeps the cookie if a form on another site requests a refresh', async () => {
    // Browsers omit a SameSite=Lax cookie from such a request, but would obey a Set-Cookie header in the response.
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

  it.each([
    ['without a signature', () => 'a'.repeat(43)],
    ['with an invented signature', () => `${'a'.repeat(43)}.${'b'.repeat(43)}`],
    ["with the real cookie's signature", (mac: string) => `${'a'.repeat(43)}.${mac}`],
  ])('rejects an invented cookie %s and keeps the session', async (_, invent) => {
    const { browser } = await signedIn();
    const [playerId, sid, , mac] = browser.cookie.split('.');
    const stranger = browser.copy();
    const reused = async () =>
      /^gatehouse_session_cookies_reused_total (\d+)$/m.exec(
        (await service.client.get('/api/metrics')).text,
      )?.[1];
    const before = await reused();
    for (let time = 0; time < 2; time++) {
      stranger.cookie = `${playerId}.${sid}.${invent(mac!)}`;
      expect((await stranger.refresh()).body.error).toBe('session_ended');
      expect((await me(browser.token)).status).toBe(200);
      expect((await browser.refresh()).status).toBe(200);
    }
    expect(await reused()).toBe(before);
  });

  it('rejects a cookie for a session that has none', async () => {
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

  it('rejects a session from an older account version', async () => {
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

  it('sets a Secure cookie under https, and no cookie for a cross-site front end', async () => {
    const env = {
      PUBLIC_URL: 'https://api.game.example',
      FRONTEND_URL: 'https://play.game.example',
    };
    const near = await startApp({ env });
    const { account } = await createPlayer(near);
    const answer = await BrowserSession.of(near).signIn(account, PASSWORD);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-gatehouse_session=/);
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

describe('The stay-signed-in cookie under https', () => {
  const PUBLIC_URL = 'https://play.game.example';
  let secure: TestApp;
  beforeAll(async () => {
    secure = await startApp({ env: { PUBLIC_URL } });
  });
  afterAll(() => secure.stop());

  const refresh = (...cookies: string[]) =>
    secure.client.send('POST', '/api/session/refresh', {
      headers: { Origin: PUBLIC_URL, Cookie: cookies.join('; ') },
    });
  const remembered = async () => {
    const { account } = await createPlayer(secure);
    return cookieOf(await BrowserSession.of(secure).signIn(account, PASSWORD))!;
  };

  it('is accepted under its name from earlier releases and then replaced', async () => {
    const answer = await refresh(`gatehouse_session=${await remembered()}`);
    expect(answer.status).toBe(200);
    const [current, earlier] = answer.headers.getSetCookie();
    expect(current).toMatch(/^__Secure-gatehouse_session=\d.*; Secure/);
    expect(earlier).toMatch(/^gatehouse_session=; .*Expires=Thu, 01 Jan 1970/);
  });

  it('takes precedence over an unprefixed cookie planted by a sibling host', async () => {
    const [own, planted] = [await remembered(), await remembered()];
    const answer = await refresh(
      `gatehouse_session=${planted}`,
      `__Secure-gatehouse_session=${own}`,
    );
    expect(cookieOf(answer)!.split('.')[0]).toBe(own.split('.')[0]);
  });
});

describe('POST /api/logout', () => {
  it('accepts either the cookie or the token', async () => {
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

  it('rejects a request with neither cookie nor token', async () => {
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

  it("does not end another player's session", async () => {
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

describe('A player with thousands of sessions', () => {
  const MANY = 2500;

  /** Stores the sessions directly, as if the limit had been much higher. */
  async function createBusyPlayer() {
    const player = await createPlayer(service);
    const token = await login(player);
    const stored = await sessions().findOneByOrFail({ playerId: player.id });
    for (let n = 0; n < MANY; n += 500)
      await sessions().insert(
        Array.from({ length: 500 }, (_, at) =>
          sessions().create(Object.assign({}, stored, { id: 1 + n + at })),
        ),
      );
    return { player, token };
  }
  const updates = (statements: string[]) =>
    statements.filter((sql) => sql.startsWith('UPDATE session SET ended_at'));

  it('can sign out everywhere else, a thousand rows at a time', async () => {
    const { token } = await createBusyPlayer();
    let ended: unknown;
    const statements = await statementsOfRequests(service, async () => {
      const answer = await service.client.send('DELETE', '/api/sessions', { token });
      ({ ended } = answer.body.data);
    });
    expect(ended).toBe(MANY);
    expect(updates(statements)).toHaveLength(3);
    expect(await list(token)).toHaveLength(1);
  });

  it('can change the password, which marks a thousand rows and ends all sessions', async () => {
    const { player, token } = await createBusyPlayer();
    const body = { old_password: PASSWORD, password: 'another password' };
    const answer = await service.client.post('/api/account/password', body, { token });
    expect(answer.status).toBe(200);
    const open = await sessions().countBy({ playerId: player.id, endedAt: IsNull() });
    expect(open).toBe(MANY + 1 - 1000);
    expect(await list(answer.body.data.token)).toHaveLength(1);
    expect((await me(token)).body.error).toBe('unauthorized');
  });

  it('can export the sessions page by page in index order, without sorting', async () => {
    const { token } = await createBusyPlayer();
    const statements = await statementsOfRequests(service, async () => {
      const { body } = await service.client.get('/api/account/export', { token });
      expect(body.sessions).toHaveLength(MANY + 1);
    });
    const pages = statements.filter((sql) => sql.includes('FROM session t'));
    expect(pages).toHaveLength(6);
    for (const page of pages) {
      const plan = await service.database.query(`EXPLAIN QUERY PLAN ${page.replaceAll('?', '1')}`);
      expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE');
    }
  });
});

describe('GET /api/account/sign_ins', () => {
  const signIns = async (token: string, query = '') =>
    service.client.get(`/api/account/sign_ins${query}`, { token });

  it("lists only the caller's own sign-ins, including failed ones, newest first", async () => {
    const player = await createPlayer(service);
    await login(await createPlayer(service));
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
    const wrong = { account: player.account, password: 'wrong password' };
    await service.client.post('/api/login', wrong, { headers, from: '192.0.2.77' });
    const token = await login(player);
    await service.app.get(LoginEventLog).flush();
    const { sign_ins } = (await signIns(token)).body.data;
    expect(sign_ins).toMatchObject([
      { method: 'login', outcome: 'ok', address: '127.0.0.1' },
      {
        at: expect.stringMatching(/Z$/),
        method: 'login',
        outcome: 'bad_credentials',
        address: '192.0.2.77',
        os: 'Linux',
        browse: 'Firefox 140.0',
      },
    ]);
    const earlier = await signIns(token, `?before=${sign_ins[0].at}`);
    expect(earlier.body.data.sign_ins).toEqual([sign_ins[1]]);
    expect((await signIns(token, '?before=yesterday')).body.error).toBe('invalid_request');
  });

  it('returns the sign-ins of the last 90 days in pages of fifty', async () => {
    const player = await createPlayer(service);
    const token = tokenOf(service, player);
    const rowOf = (minutes: number) => ({
      createdAt: new Date(Date.now() - minutes * 60_000),
      way: 'login' as const,
      outcome: 'ok',
      playerId: player.id,
    });
    const rows = [...Array.from({ length: 51 }, (_, n) => rowOf(n)), rowOf(91 * 24 * 60)];
    await service.database.getRepository(LoginEvent).insert(rows);
    const first = (await signIns(token)).body.data.sign_ins;
    expect(first).toHaveLength(50);
    const rest = (await signIns(token, `?before=${first.at(-1).at}`)).body.data.sign_ins;
    expect(rest.map(({ at }: { at: string }) => at)).toEqual([rows[50]!.createdAt.toISOString()]);
  });
});
