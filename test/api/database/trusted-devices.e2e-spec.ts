import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeAllFactors } from '../../../src/features/second-factor/factor-changes.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import {
  addAuthenticator,
  type Authenticator,
  secondStep,
  ticketFor,
} from '../../support/api/authenticator.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import { type Answer, Client } from '../../support/api/client.js';
import { createPlayer } from '../../support/api/factories.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { profileRequests, RELAXED, startProfileApp } from '../../support/api/profile.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

const DAY = 24 * 60 * 60;
const MINUTE = 60;
const FREEZE = 0;
const NEW = 'a new password';
const NEEDS_SECOND_STEP = [401, 40106];
let service: MailApp;
let other: TestApp | undefined;
let clients: Client[];

beforeAll(async () => {
  service = await startProfileApp();
  const { DATABASE_URL, JWT_SECRET, PASSWORD_KEY } = service.app.get(Environment);
  // Two instances cannot share an embedded database.
  if (DATABASE_URL)
    other = await startApp({ env: { DATABASE_URL, JWT_SECRET, PASSWORD_KEY }, settings: RELAXED });
  clients = [service.client, other?.client ?? service.client];
});
afterAll(async () => {
  await other?.stop();
  await service.stop();
});
const { post, tokenFor, codeFor, me } = profileRequests(() => service);

interface Listed {
  current: boolean;
  trusted_until: string | null;
}

interface TrustedBrowser {
  player: Player;
  app: Authenticator;
  /** The second step returned this token. */
  token: string;
  /** The cookie has the form `name=value`. */
  cookie: string;
}

const origin = () => new URL(service.app.get(Environment).FRONTEND_URL).origin;
const sessionsOf = async (token: string) =>
  (await service.client.get('/api/sessions', { token })).body.data.sessions;
const statusOf = ({ status, body }: Answer) => [status, body.code];

function login({ account: name }: Player, cookie: string, more = {}, client = service.client) {
  const headers = { Origin: origin(), Cookie: `other=1; ${cookie}`, 'User-Agent': 'Laptop/1' };
  return client.post('/api/login', { account: name, password: PASSWORD, ...more }, { headers });
}

async function createWithApp() {
  const player = await createPlayer(service, { email: newMailbox() });
  const app = await addAuthenticator(service.client, await tokenFor(player));
  return { player, app };
}

async function trust(
  { player, app }: { player: Player; app: Authenticator },
  proof: object = { code: app.code() },
): Promise<TrustedBrowser> {
  const ticket = await ticketFor(service.client, player.account);
  const answer = await secondStep(service.client, ticket, { ...proof, trust: true });
  expect(answer.status, answer.text).toBe(200);
  const cookie = trustCookieOf(answer)!.split(';')[0]!;
  return { player, app, token: answer.body.data.token, cookie };
}

/** Creates a player with an app who has trusted a browser at the second step. */
const withTrust = () => withClockAhead(FREEZE, async () => trust(await createWithApp()));

function trustCookieOf({ headers }: Answer): string | undefined {
  return headers.getSetCookie().find((each) => each.startsWith('gatehouse_trust_'));
}

describe('A trusted device', () => {
  it('gets a cookie for later logins only, stored only as a hash', async () => {
    const { player, app } = await createWithApp();
    const ticket = await ticketFor(service.client, player.account);
    const answer = await secondStep(service.client, ticket, { code: app.code(), trust: true });
    const cookie = trustCookieOf(answer)!;
    expect(cookie).toMatch(
      new RegExp(`^gatehouse_trust_${player.id}=[1-9]\\d*\\.[\\w-]{43}; Max-Age=2592000; `),
    );
    for (const part of ['Path=/api/login', 'HttpOnly', 'SameSite=Lax'])
      expect(cookie.split('; ')).toContain(part);
    const secret = cookie.split(';')[0]!.split('.')[1]!;
    const rows = await service.database.query('SELECT * FROM session');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('skips the second step at the login of its account until the 30 days are over', async () => {
    const { player, cookie, token } = await withTrust();
    const trusted = (await sessionsOf(token)).find(({ current }: Listed) => current);
    const days = (Date.parse(trusted.trusted_until) - Date.now()) / DAY / 1000;
    expect(Math.round(days)).toBe(30);
    expect((await login(player, cookie)).status).toBe(200);
    await withClockAhead(30 * DAY - MINUTE, async () => {
      await service.app.get(ExpiredRowCleaner).deleteAll();
      const answer = await login(player, cookie);
      expect(answer.status, answer.text).toBe(200);
      expect(trustCookieOf(answer)).toBeUndefined();
      const listed = await sessionsOf(answer.body.data.token);
      expect(listed).toMatchObject([
        { current: true, trusted_until: null },
        { id: trusted.id, current: false, trusted_until: trusted.trusted_until },
      ]);
    });
    await withClockAhead(30 * DAY + MINUTE, async () =>
      expect(statusOf(await login(player, cookie))).toEqual(NEEDS_SECOND_STEP),
    );
  });

  it('still needs the right password', async () => {
    const { player, cookie } = await withTrust();
    const wrong = await login(player, cookie, { password: 'not the password' });
    expect(statusOf(wrong)).toEqual([401, 40101]);
  });

  it('does not get a cookie unless the player asks for it', async () => {
    const { player, app } = await createWithApp();
    const ticket = await ticketFor(service.client, player.account);
    const answer = await secondStep(service.client, ticket, { code: app.code() });
    expect([answer.status, trustCookieOf(answer)]).toEqual([200, undefined]);
    const [only] = await sessionsOf(answer.body.data.token);
    expect(only.trusted_until).toBeNull();
  });

  it('is neither offered nor accepted while session.trust_days is 0', async () => {
    const { player, cookie, token } = await withTrust();
    await service.changeSettings({ ...RELAXED, session: { trust_days: 0 } });
    try {
      const config = (await service.client.get('/api/config')).body.data;
      expect(config.trust).toEqual({ enabled: false, days: 0 });
      for (const one of await sessionsOf(token)) expect(one.trusted_until).toBeNull();
      expect(statusOf(await login(player, cookie))).toEqual(NEEDS_SECOND_STEP);
      const { player: late, app } = await createWithApp();
      const ticket = await ticketFor(service.client, late.account);
      const answer = await secondStep(service.client, ticket, { code: app.code(), trust: true });
      expect([answer.status, trustCookieOf(answer)]).toEqual([200, undefined]);
    } finally {
      await service.changeSettings(RELAXED);
    }
    expect((await login(player, cookie)).status).toBe(200);
  });

  it('does not count as recent authentication for changes to the account, even soon after the second step', async () => {
    const { player, app, cookie } = await withTrust();
    const { token } = (await login(player, cookie)).body.data;
    const remove = () => service.client.send('DELETE', '/api/account/totp', { token });
    expect((await remove()).body.error).toBe('sign_in_again');
    const unlink = () => post('unbind', { provider: 'forum' }, token);
    expect((await unlink()).body.error).toBe('sign_in_again');
    await post('session/confirm', { password: PASSWORD }, token);
    expect((await unlink()).body.error).toBe('link_not_found');
    expect((await remove()).body.error).toBe('sign_in_again');
    await withClockAhead(FREEZE, () => post('session/confirm', { code: app.code(1) }, token));
    expect((await remove()).status).toBe(200);
  });

  it('is not accepted for another account, from another origin, or with an altered cookie', async () => {
    const [mine, theirs] = [await withTrust(), await withTrust()];
    const [, value] = theirs.cookie.split('=');
    const [sid, secret] = value!.split('.');
    const name = `gatehouse_trust_${mine.player.id}`;
    const [mySid] = mine.cookie.split('=')[1]!.split('.');
    const flipped = secret!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    const altered = [
      theirs.cookie,
      `${name}=${value}`,
      `${name}=${mySid}.${secret}`,
      `${name}=${mySid}.${flipped}`,
      `${name}=${mySid}.`,
      `${name}=${mySid}.${'A'.repeat(5000)}`,
      `${name}=0.${mine.cookie.split('.')[1]}`,
      `${name}=${sid}`,
      `${name}=%00`,
    ];
    for (const cookie of altered)
      expect(statusOf(await login(mine.player, cookie)), cookie).toEqual(NEEDS_SECOND_STEP);
    const body = { account: mine.player.account, password: PASSWORD };
    const foreign = { Origin: 'https://evil.example', Cookie: mine.cookie };
    for (const headers of [foreign, { Cookie: mine.cookie }] as Record<string, string>[])
      expect(statusOf(await service.client.post('/api/login', body, { headers }))).toEqual(
        NEEDS_SECOND_STEP,
      );
    expect((await login(mine.player, mine.cookie)).status).toBe(200);
  });

  it('keeps two accounts of one browser apart', async () => {
    const [one, two] = [await withTrust(), await withTrust()];
    const both = `${one.cookie}; ${two.cookie}`;
    for (const { player } of [one, two]) {
      const answer = await login(player, both);
      expect(answer.body.data?.account, answer.text).toBe(player.account);
    }
  });
});

describe('Trust in a device', () => {
  const ends: Record<string, (browser: TrustedBrowser) => Promise<unknown>> = {
    'its session is ended on the list of devices': async ({ player, token, cookie }) => {
      const elsewhere = (await login(player, cookie)).body.data.token;
      const { id } = (await sessionsOf(token)).find(({ current }: Listed) => current);
      const path = `/api/sessions/${id}`;
      return service.client.send('DELETE', path, { token: elsewhere });
    },
    'the player signs out': ({ token }) => post('logout', {}, token),
    'the player signs out of a session that began with it': async ({ player, cookie }) =>
      post('logout', {}, (await login(player, cookie)).body.data.token),
    'the player signs out everywhere else': async ({ player, cookie }) =>
      service.client.send('DELETE', '/api/sessions', {
        token: (await login(player, cookie)).body.data.token,
      }),
    'the player changes the password there': ({ token }) =>
      post('account/password', { old_password: PASSWORD, password: NEW }, token),
    'the password is reset': async ({ player }) => {
      const email = player.email!;
      const code = await codeFor(email);
      const answer = await post('reset_password', {
        account: player.account,
        email,
        code,
        password: NEW,
      });
      expect(answer.body.error).toBe('second_factor_required');
      return { status: 200, text: '' };
    },
    'a recovery code is used': async ({ player, app }) =>
      secondStep(service.client, await ticketFor(service.client, player.account), {
        recovery_code: app.recoveryCodes[0],
      }),
    'the recovery codes are renewed': ({ token }) => post('account/recovery_codes', {}, token),
    'an operator removes the factors': async ({ player, token }) => {
      await service.database.transaction((manager) => removeAllFactors(manager, player.id));
      await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
      return me(token);
    },
    'the app is replaced': async ({ token }) => {
      const removed = await service.client.send('DELETE', '/api/account/totp', { token });
      await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
      return removed;
    },
  };

  it.each(Object.keys(ends))('ends when %s', async (name) => {
    const browser = await withTrust();
    const done = (await ends[name]!(browser)) as Answer;
    expect(done.status, done.text).toBe(200);
    const answers = [PASSWORD, NEW].map((password) =>
      login(browser.player, browser.cookie, { password }),
    );
    const codes = (await Promise.all(answers)).map(({ body }) => body.code);
    expect(codes).toContain(40106);
    expect(codes).not.toContain(0);
  });

  it('ends without ending the session when only the factors change', async () => {
    const { player, app, token } = await withTrust();
    const renewed = await post('account/recovery_codes', {}, token);
    expect(renewed.status, renewed.text).toBe(200);
    expect((await me(token)).status).toBe(200);
    const trusted = (await sessionsOf(token)).map((one: Listed) => one.trusted_until);
    expect(trusted).toEqual([null, null]);
    // Without trust, the session is listed only while one of its tokens may still be valid.
    await withClockAhead(DAY + MINUTE, async () => {
      const ticket = await ticketFor(service.client, player.account);
      const answer = await secondStep(service.client, ticket, { code: app.code() });
      expect(await sessionsOf(answer.body.data.token)).toMatchObject([{ current: true }]);
    });
  });

  it('can be renewed with a recovery code, which ends the earlier trust', async () => {
    const first = await withTrust();
    const second = await trust(first, { recovery_code: first.app.recoveryCodes[0] });
    expect(statusOf(await login(first.player, first.cookie))).toEqual(NEEDS_SECOND_STEP);
    expect((await login(first.player, second.cookie)).status).toBe(200);
  });

  it('ends when use of a copied stay-signed-in cookie ends the session', async () => {
    const { player, cookie } = await withTrust();
    const browser = BrowserSession.of(service);
    const answer = await login(player, cookie, { remember: true });
    const [stay] = answer.headers.getSetCookie();
    browser.cookie = stay!.split(';')[0]!.split('=')[1]!;
    const thief = browser.copy();
    expect((await browser.refresh()).status).toBe(200);
    await withClockAhead(MINUTE, async () => {
      expect((await thief.refresh()).body.error).toBe('session_ended');
    });
    expect(statusOf(await login(player, cookie))).toEqual(NEEDS_SECOND_STEP);
  });

  it('does not let the stay-signed-in cookie outlive session.remember_days', async () => {
    const settings = { ...RELAXED, session: { remember_days: 7 } };
    await service.changeSettings(settings);
    try {
      const { player, app } = await createWithApp();
      const more = { remember: true };
      const ticket = await ticketFor(service.client, player.account, more);
      const answer = await secondStep(service.client, ticket, { code: app.code(), trust: true });
      const [stay] = answer.headers.getSetCookie().filter((each) => each.includes('_session='));
      const browser = BrowserSession.of(service);
      browser.cookie = stay!.split(';')[0]!.split('=')[1]!;
      await withClockAhead(6 * DAY, async () => expect((await browser.refresh()).status).toBe(200));
      const cookie = trustCookieOf(answer)!.split(';')[0]!;
      await withClockAhead(14 * DAY, async () => {
        expect((await browser.refresh()).body.error).toBe('session_ended');
        expect((await login(player, cookie)).status).toBe(200);
      });
    } finally {
      await service.changeSettings(RELAXED);
    }
  });

  it('no longer skips the second step at any instance once one of them has ended it', async () => {
    const { player, cookie, token } = await withTrust();
    const { id } = (await sessionsOf(token)).find(({ current }: Listed) => current);
    const logins = Array.from({ length: 8 }, (_, n) => login(player, cookie, {}, clients[n % 2]));
    const ended = clients[1]!.send('DELETE', `/api/sessions/${id}`, { token });
    const after = ended.then((answer) => {
      expect(answer.status, answer.text).toBe(200);
      return Promise.all(clients.map((client) => login(player, cookie, {}, client)));
    });
    for (const answer of await Promise.all(logins))
      expect([200, 401, 503], answer.text).toContain(answer.status);
    for (const answer of await after) expect(statusOf(answer)).toEqual(NEEDS_SECOND_STEP);
  });

  it('ends with a password change, even for logins at the same time', async () => {
    const { player, cookie, token } = await withTrust();
    const change = { old_password: PASSWORD, password: NEW };
    const [changed, ...logins] = await Promise.all([
      clients[1]!.post('/api/account/password', change, { token }),
      ...Array.from({ length: 8 }, (_, n) => login(player, cookie, {}, clients[n % 2])),
    ]);
    expect(changed.status, changed.text).toBe(200);
    for (const { body } of logins)
      if (body.data?.token) expect((await me(body.data.token)).status).toBe(401);
    expect(statusOf(await login(player, cookie, { password: NEW }))).toEqual(NEEDS_SECOND_STEP);
  });

  it('can be used by many logins at the same time', async () => {
    const { player, cookie } = await withTrust();
    const logins = Array.from({ length: 8 }, (_, n) => login(player, cookie, {}, clients[n % 2]));
    for (const answer of await Promise.all(logins)) expect(answer.status, answer.text).toBe(200);
  });
});
