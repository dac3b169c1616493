import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { Session } from '../../src/platform/auth/session.entity.js';
import { ExpiredRowCleaner } from '../../src/platform/database/expired-row-cleaner.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { BrowserSession, cookieOf } from '../support/api/browser-session.js';
import { createPlayer, PASSWORD, tokenOf } from '../support/api/factories.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { ProbeModule } from '../support/api/probe.js';
import { answersInTime } from '../support/run/slow-machine.js';
import { until } from '../support/until.js';

const DAY = 24 * 60 * 60;
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1';
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

async function reused(): Promise<number> {
  const { text } = await service.client.get('/api/metrics');
  return Number(/^gatehouse_session_cookies_reused_total (\d+)$/m.exec(text)![1]);
}

describe('a sign-in', () => {
  it('is a session, and its token bears the id', async () => {
    const player = await createPlayer(service);
    const headers = { 'User-Agent': PHONE };
    const token = await login(player, { from: '198.51.100.7', headers });
    const { sid } = decodeJwt(token);
    expect(await list(token)).toEqual([
      {
        id: sid,
        current: true,
        device: 'phone',
        os: 'iOS 17.5',
        browse: 'Safari 17.5',
        address: '198.51.100.7',
        created_at: expect.stringMatching(/^20.*Z$/),
        seen_at: expect.stringMatching(/^20.*Z$/),
        remembered: false,
      },
    ]);
  });

  it('that was not asked to stay brings no cookie', async () => {
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

  it('that was not asked to stay takes away the cookie of whoever was signed in before', async () => {
    const { browser } = await signedIn();
    const { account } = await createPlayer(service);
    const headers = { Cookie: `gatehouse_session=${browser.cookie}` };
    const body = { account, password: PASSWORD };
    const answer = await service.client.post('/api/login', body, { headers });
    expect(cookieOf(answer)).toBe('');
  });

  it('of many players at once is one session each', async () => {
    const players = await Promise.all(Array.from({ length: 20 }, () => createPlayer(service)));
    const tokens = await Promise.all(players.map((player) => login(player)));
    const lists = await Promise.all(tokens.map((token) => list(token)));
    expect(lists.map(({ length }) => length)).toEqual(players.map(() => 1));
  });

  it('of an earlier release is good without a session, until its token expires', async () => {
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

  it('is noted as seen again, ten minutes later', async () => {
    const player = await createPlayer(service);
    const token = await login(player);
    const seenAt = async () => (await list(token))[0].seen_at as string;
    const before = await seenAt();
    await me(token);
    expect(await seenAt()).toBe(before);
    await withClockAhead(11 * 60, () => me(token));
    await until(async () => (await seenAt()) > before);
  });
});

describe('the cookie', () => {
  const attributesOf = (header = '') =>
    header
      .split('; ')
      .slice(1)
      .filter((part) => !part.startsWith('Expires'));

  it('is for our own API alone, unseen by scripts, and lasts 30 days', async () => {
    const { account } = await createPlayer(service);
    const answer = await BrowserSession.of(service).signIn(account, PASSWORD);
    const attributes = attributesOf(answer.headers.getSetCookie()[0]);
    const maxAge = `Max-Age=${30 * DAY}`;
    expect(attributes.toSorted()).toEqual(['HttpOnly', maxAge, 'Path=/api', 'SameSite=Lax']);
    expect(cookieOf(answer)).toMatch(/^\d+\.\d+\.[\w-]{43}$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is stored as a hash alone', async () => {
    const { player, browser } = await signedIn();
    await browser.refresh();
    const [row] = await service.database.query('SELECT * FROM session WHERE player_id = ?', [
      player.id,
    ]);
    const secret = browser.cookie.split('.')[2]!;
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row.cookie_hash).toHaveLength(43);
  });

  it('is exchanged for a token of the same session, and for the next cookie', async () => {
    const { player, browser } = await signedIn();
    const [cookie, token] = [browser.cookie, browser.token];
    const answer = await browser.refresh();
    expect(answer.body.data).toEqual({
      account: player.account,
      token: expect.any(String),
      expires_in: DAY,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(browser.cookie).not.toBe(cookie);
    expect(decodeJwt(browser.token).sid).toBe(decodeJwt(token).sid);
    for (const each of [token, browser.token]) expect((await me(each)).status).toBe(200);
    expect(await list(browser.token)).toMatchObject([{ current: true, remembered: true }]);
  });

  it('is good for 30 days from its last use', async () => {
    const { browser } = await signedIn();
    await withClockAhead(29 * DAY, () => browser.refresh());
    expect((await withClockAhead(58 * DAY, () => browser.refresh())).status).toBe(200);
    const answer = await withClockAhead(89 * DAY, () => browser.refresh());
    expect(answer.body.error).toBe('session_ended');
  });

  it('of twenty tabs at once is good for all of them, and they end up with the same', async () => {
    const { browser } = await signedIn();
    const tabs = Array.from({ length: 20 }, () => browser.copy());
    const answers = await answersInTime(tabs.map((tab) => tab.refresh()));
    expect(answers.map(({ status }) => status)).toEqual(tabs.map(() => 200));
    expect(new Set(tabs.map(({ cookie }) => cookie)).size).toBe(1);
    for (const { token } of tabs) expect((await me(token)).status).toBe(200);
    expect((await withClockAhead(60, () => tabs[7]!.refresh())).status).toBe(200);
  });

  it('before still works for 30 seconds, for an answer that was lost', async () => {
    const { browser } = await signedIn();
    const lost = browser.copy();
    await browser.refresh();
    expect((await withClockAhead(25, () => lost.refresh())).status).toBe(200);
    expect(lost.cookie).toBe(browser.cookie);
    expect((await withClockAhead(60, () => lost.refresh())).status).toBe(200);
  });

  it('that was replaced ends the session: the thief came after the owner', async () => {
    const { browser } = await signedIn();
    const thief = browser.copy();
    await browser.refresh();
    const before = await reused();
    const answer = await withClockAhead(31, () => thief.refresh());
    expect(answer.body.error).toBe('session_ended');
    expect(answer.status).toBe(401);
    expect(cookieOf(answer)).toBe('');
    expect(await reused()).toBe(before + 1);
    expect((await me(browser.token)).body.error).toBe('unauthorized');
    expect((await browser.refresh()).body.error).toBe('session_ended');
    expect(await reused()).toBe(before + 1);
  });

  it('that was replaced ends the session: the thief came before the owner', async () => {
    const { browser } = await signedIn();
    const thief = browser.copy();
    await thief.refresh();
    await withClockAhead(31, () => thief.refresh());
    expect((await withClockAhead(40, () => browser.refresh())).body.error).toBe('session_ended');
    expect((await me(thief.token)).body.error).toBe('unauthorized');
    expect((await thief.refresh()).body.error).toBe('session_ended');
  });

  it('that is older than the one before ends the session, also within 30 seconds', async () => {
    const { browser } = await signedIn();
    const thief = browser.copy();
    await browser.refresh();
    await browser.refresh();
    expect((await thief.refresh()).body.error).toBe('session_ended');
    expect((await browser.refresh()).body.error).toBe('session_ended');
  });

  it('that a database forgot in a failover ends the session, and lets nobody in', async () => {
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
    'is not taken from a page at "%s"',
    async (Origin) => {
      const { browser } = await signedIn();
      const cookie = browser.cookie;
      const refused = await browser.refresh({ Origin });
      expect(refused.body.error).toBe('session_ended');
      expect((await browser.logout({ Origin })).body.error).toBe('unauthorized');
      browser.cookie = cookie;
      expect((await me(browser.token)).status).toBe(200);
      expect((await browser.refresh()).status).toBe(200);
    },
  );

  it.each(['', 'x', '1.1', `1.1.${'a'.repeat(43)}`, `1.1.${'a'.repeat(5000)}`, '%00', '..'])(
    'is not taken as "%s"',
    async (cookie) => {
      const browser = BrowserSession.of(service);
      browser.cookie = cookie;
      expect((await browser.refresh()).body.error).toBe('session_ended');
    },
  );

  it('of a session that was not asked to stay does not exist', async () => {
    const player = await createPlayer(service);
    const token = await login(player);
    const { sid } = decodeJwt(token);
    const browser = BrowserSession.of(service);
    browser.cookie = `${player.id}.${String(sid)}.${'a'.repeat(43)}`;
    expect((await browser.refresh()).body.error).toBe('session_ended');
    expect((await me(token)).status).toBe(200);
  });

  it('of a disabled account works again once that is enabled', async () => {
    const { player, browser } = await signedIn();
    const players = service.database.getRepository(Player);
    await players.update(player.id, { disabledAt: new Date() });
    expect((await browser.refresh()).body.error).toBe('account_disabled');
    await players.update(player.id, { disabledAt: null });
    expect((await browser.refresh()).status).toBe(200);
  });

  it('ends with the version of the account, also one whose sign-in was under way', async () => {
    const { player, browser } = await signedIn();
    await service.database.getRepository(Player).update(player.id, { ver: 1 });
    expect((await browser.refresh()).body.error).toBe('session_ended');
    expect(await list(tokenOf(service, player, { ver: 1 }))).toEqual([]);
  });

  it('is not offered where the settings say so', async () => {
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

  it('is Secure under https, and not offered to a front end of another site', async () => {
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
  it('ends the session of the token and of the cookie with the next request', async () => {
    const { browser } = await signedIn();
    const answer = await browser.logout({ Authorization: `Bearer ${browser.token}` });
    expect(answer.body.data).toEqual({});
    expect(cookieOf(answer)).toBe('');
    expect((await me(browser.token)).body.error).toBe('unauthorized');
    const check = { account: String(decodeJwt(browser.token).account), token: browser.token };
    expect((await service.client.post('/api/check', check)).body.error).toBe('token_invalid');
  });

  it('takes the cookie alone, and the token alone', async () => {
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

  it('can be said twice, and takes a token that has no session', async () => {
    const { player, browser } = await signedIn();
    const copy = browser.copy();
    for (const each of [browser, copy]) expect((await each.logout()).status).toBe(200);
    const old = tokenOf(service, player);
    const answer = await service.client.send('POST', '/api/logout', { token: old });
    expect(answer.status).toBe(200);
  });

  it('needs one of the two', async () => {
    const answer = await service.client.send('POST', '/api/logout');
    expect(answer.body.error).toBe('unauthorized');
    const garbage = await service.client.send('POST', '/api/logout', { token: 'garbage' });
    expect(garbage.body.error).toBe('unauthorized');
  });

  it('ends no session by a cookie that is made up', async () => {
    const { player, browser } = await signedIn();
    const forger = browser.copy();
    forger.cookie = `${player.id}.${String(decodeJwt(browser.token).sid)}.${'a'.repeat(43)}`;
    await forger.logout();
    expect((await me(browser.token)).status).toBe(200);
  });
});

describe('the sessions of an account', () => {
  const end = (token: string, id: unknown) =>
    service.client.send('DELETE', `/api/sessions/${String(id)}`, { token });

  it('are listed newest first, and end one by one', async () => {
    const player = await createPlayer(service);
    const first = await withClockAhead(-120, () => login(player, { from: '198.51.100.1' }));
    const second = await withClockAhead(-60, () => login(player, { from: '198.51.100.2' }));
    const third = await login(player, { from: '198.51.100.3' });
    const listed = await list(second);
    expect(listed.map(({ address }: { address: string }) => address)).toEqual([
      '198.51.100.3',
      '198.51.100.2',
      '198.51.100.1',
    ]);
    expect(listed.map(({ current }: { current: boolean }) => current)).toEqual([
      false,
      true,
      false,
    ]);
    const { sid } = decodeJwt(first);
    expect((await end(third, sid)).body.data).toEqual({ ended: 1 });
    expect((await me(first)).body.error).toBe('unauthorized');
    expect((await end(third, sid)).body.error).toBe('session_not_found');
    expect(await list(third)).toHaveLength(2);
    expect((await end(third, decodeJwt(third).sid)).body.data).toEqual({ ended: 1 });
    expect((await me(third)).body.error).toBe('unauthorized');
  });

  it('end all but one', async () => {
    const { player, browser } = await signedIn();
    const others = [await login(player), await login(player)];
    const { token } = browser;
    const answer = await service.client.send('DELETE', '/api/sessions', { token });
    expect(answer.body.data).toEqual({ ended: 2 });
    for (const other of others) expect((await me(other)).body.error).toBe('unauthorized');
    expect((await me(token)).status).toBe(200);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('are nobody else’s', async () => {
    const [mine, theirs] = [await createPlayer(service), await createPlayer(service)];
    const token = await login(mine);
    const foreign = await login(theirs);
    const answer = await end(token, decodeJwt(foreign).sid);
    expect([answer.status, answer.body.error]).toEqual([404, 'session_not_found']);
    await service.client.send('DELETE', '/api/sessions', { token });
    expect((await me(foreign)).status).toBe(200);
  });

  it.each(['0', '-1', '1.5', 'x', '9'.repeat(15), '9'.repeat(40), '1%20OR%201=1', '%00'])(
    'are not ended as %s',
    async (id) => {
      const token = await login(await createPlayer(service));
      expect((await end(token, id)).body.error).toBe('session_not_found');
      expect((await me(token)).status).toBe(200);
    },
  );

  it('are deleted a day after they expired, whether they ended or not', async () => {
    const player = await createPlayer(service);
    const { browser } = await signedIn();
    await login(player);
    const token = await login(player);
    await end(token, decodeJwt(token).sid);
    const left = async (days: number) => {
      await withClockAhead(days * DAY, () => service.app.get(ExpiredRowCleaner).deleteAll());
      return sessions().countBy({ playerId: player.id });
    };
    expect(await left(1.9)).toBe(2);
    expect(await left(2.1)).toBe(0);
    expect((await browser.refresh()).status).toBe(200);
  });
});
