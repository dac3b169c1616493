import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { PASSWORD } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import { cookieOf } from '../../support/api/browser-session.js';
import { createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { allAtOnce } from '../../support/api/parallel.js';
import { until } from '../../support/until.js';
import {
  SESSIONS_SETTINGS,
  sessionRequests,
  startSessionsApp,
} from '../../support/api/sessions.js';

const DAY = 24 * 60 * 60;
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1';
let service: TestApp;

beforeAll(async () => {
  service = await startSessionsApp();
});
afterAll(() => service.stop());

const { me, list, sessions, signedIn, login } = sessionRequests(() => service);

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
        trusted_until: null,
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
  it('exchanges the cookie for a new cookie and a token of the same session', async () => {
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

  it('returns the same new cookie to tabs that refresh in parallel', async () => {
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
  it('ends the session of the token and the cookie', async () => {
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

  it('keeps sessions for one day after their expiry', async () => {
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

describe('session.max_per_account', () => {
  const tokensOf = async (player: Player, signIns: number, use?: (token: string) => unknown) => {
    const tokens: string[] = [];
    for (let n = 0; n < signIns; n++) {
      tokens.push(await login(player));
      await use?.(tokens.at(-1)!);
    }
    return tokens;
  };
  const rows = ({ id }: Player) => sessions().countBy({ playerId: id });

  it("ends a player's oldest sessions when there are more than the limit", async () => {
    await service.changeSettings({ ...SESSIONS_SETTINGS, session: { max_per_account: 3 } });
    const [player, other] = [await createPlayer(service), await createPlayer(service)];
    const kept = await login(other);
    const tokens = await tokensOf(player, 5);
    await until(async () => (await rows(player)) === 3);
    const statuses = await Promise.all(tokens.map(async (token) => (await me(token)).status));
    expect(statuses).toEqual([401, 401, 200, 200, 200]);
    expect((await me(kept)).status).toBe(200);
    await service.changeSettings(SESSIONS_SETTINGS);
  });

  it('deletes ended sessions above the limit, but keeps the open one', async () => {
    await service.changeSettings({ ...SESSIONS_SETTINGS, session: { max_per_account: 3 } });
    const player = await createPlayer(service);
    const open = await login(player);
    await tokensOf(player, 15, (token) => service.client.send('POST', '/api/logout', { token }));
    await until(async () => (await rows(player)) === 3);
    expect((await me(open)).status).toBe(200);
    await service.changeSettings(SESSIONS_SETTINGS);
  });
});

describe('session.max_days', () => {
  it('ends a remembered session and its tokens, however often it was used', async () => {
    const { browser } = await signedIn();
    for (let day = 25; day < 180; day += 25)
      expect((await withClockAhead(day * DAY, () => browser.refresh())).status).toBe(200);
    const last = await withClockAhead(180 * DAY - 60, () => browser.refresh());
    expect(last.status).toBe(200);
    const { token } = browser;
    await withClockAhead(180 * DAY + 60, async () => {
      expect((await me(token)).body.error).toBe('unauthorized');
      expect((await browser.refresh()).body.error).toBe('session_ended');
    });
  });

  it('ends a session although a changed password has renewed its token', async () => {
    await service.changeSettings({ ...SESSIONS_SETTINGS, session: { max_days: 2 } });
    const { browser } = await signedIn();
    const change = { old_password: PASSWORD, password: 'a new password' };
    const answer = await withClockAhead(2 * DAY - 3600, async () => {
      await browser.refresh();
      return service.client.post('/api/account/password', change, { token: browser.token });
    });
    const { token } = answer.body.data;
    await withClockAhead(2 * DAY - 60, async () => expect((await me(token)).status).toBe(200));
    await withClockAhead(2 * DAY + 60, async () =>
      expect((await me(token)).body.error).toBe('unauthorized'),
    );
    await service.changeSettings(SESSIONS_SETTINGS);
  });

  it('applies to sessions that began before the setting was lowered', async () => {
    const { browser } = await signedIn();
    await service.changeSettings({ ...SESSIONS_SETTINGS, session: { max_days: 7 } });
    const { data } = (await service.client.get('/api/config')).body;
    expect(data.remember.days).toBe(7);
    const answer = await withClockAhead(8 * DAY, () => browser.refresh());
    expect(answer.body.error).toBe('session_ended');
    await service.changeSettings(SESSIONS_SETTINGS);
  });
});
