import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { Session } from '../../../src/platform/auth/session.entity.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { PASSWORD } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { BrowserSession, cookieOf } from '../../support/api/browser-session.js';
import { createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { ProbeModule } from '../../support/api/probe.js';
import { allAtOnce } from '../../support/api/parallel.js';
import { until } from '../../support/until.js';

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

describe('POST /api/login', () => {
  it('creates a session whose id is in the token', async () => {
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

  it('creates one session for each of many parallel logins', async () => {
    const players: Player[] = [];
    for (let n = 0; n < 10; n++) players.push(await createPlayer(service));
    const answers = await allAtOnce(
      players.map(({ account }) => () => {
        const body = { account, password: PASSWORD };
        return service.client.post('/api/login', body);
      }),
    );
    const lists: unknown[][] = [];
    for (const { body } of answers) lists.push(await list(body.data.token as string));
    expect(lists.map(({ length }) => length)).toEqual(players.map(() => 1));
  });

  it('creates a session whose seen_at is updated after ten minutes', async () => {
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

describe('POST /api/session/refresh', () => {
  it('exchanges the cookie for a token of the same session and a new cookie', async () => {
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

  it('gives the same new cookie to tabs that refresh in parallel', async () => {
    const { browser } = await signedIn();
    const tabs = Array.from({ length: 10 }, () => browser.copy());
    const answers = await allAtOnce(tabs.map((tab) => () => tab.refresh()));
    expect(answers.map(({ status }) => status)).toEqual(tabs.map(() => 200));
    expect(new Set(tabs.map(({ cookie }) => cookie)).size).toBe(1);
    for (const { token } of tabs) expect((await me(token)).status).toBe(200);
    expect((await withClockAhead(60, () => tabs[7]!.refresh())).status).toBe(200);
  });

  it('accepts the previous cookie for 30 seconds', async () => {
    const { browser } = await signedIn();
    const lost = browser.copy();
    await browser.refresh();
    expect((await withClockAhead(25, () => lost.refresh())).status).toBe(200);
    expect(lost.cookie).toBe(browser.cookie);
    expect((await withClockAhead(60, () => lost.refresh())).status).toBe(200);
  });

  it('ends the session when a thief uses a replaced cookie', async () => {
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
});

describe('POST /api/logout', () => {
  it('ends the session of token and cookie', async () => {
    const { browser } = await signedIn();
    const answer = await browser.logout({ Authorization: `Bearer ${browser.token}` });
    expect(answer.body.data).toEqual({});
    expect(cookieOf(answer)).toBe('');
    expect((await me(browser.token)).body.error).toBe('unauthorized');
    const check = { account: String(decodeJwt(browser.token).account), token: browser.token };
    expect((await service.client.post('/api/check', check)).body.error).toBe('token_invalid');
  });
});

describe('/api/sessions', () => {
  const end = (token: string, id: unknown) =>
    service.client.send('DELETE', `/api/sessions/${String(id)}`, { token });

  it('lists sessions newest first and ends them one by one', async () => {
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

  it('ends all sessions but the current one', async () => {
    const { player, browser } = await signedIn();
    const others = [await login(player), await login(player)];
    const { token } = browser;
    const answer = await service.client.send('DELETE', '/api/sessions', { token });
    expect(answer.body.data).toEqual({ ended: 2 });
    for (const other of others) expect((await me(other)).body.error).toBe('unauthorized');
    expect((await me(token)).status).toBe(200);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('keeps sessions for one day after they expired', async () => {
    const player = await createPlayer(service);
    const { browser } = await signedIn();
    await login(player);
    const token = await login(player);
    await end(token, decodeJwt(token).sid);
    const left = async (daysAgo: number) => {
      const expiresAt = new Date(Date.now() - daysAgo * DAY * 1000);
      await sessions().update({ playerId: player.id }, { expiresAt });
      await service.app.get(ExpiredRowCleaner).deleteAll();
      return sessions().countBy({ playerId: player.id });
    };
    expect(await left(0.9)).toBe(2);
    expect(await left(1.1)).toBe(0);
    expect((await browser.refresh()).status).toBe(200);
  });
});
