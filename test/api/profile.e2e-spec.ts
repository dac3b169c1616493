import { decodeJwt } from 'jose';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoginAddress } from '../../src/features/accounts/login-address.entity.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { Tickets } from '../../src/features/forum-auth/tickets.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { BrowserSession } from '../support/api/browser-session.js';
import type { Answer } from '../support/api/client.js';
import { createPlayer, addServer, PASSWORD, tokenOf, unique } from '../support/api/factories.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { ProbeModule } from '../support/api/probe.js';
import { answersInTime, neverMoreThan } from '../support/run/slow-machine.js';
import { SlowMailServer } from '../support/servers/slow-mail-server.js';
import { MailServer } from '../support/servers/smtp.js';
import { until } from '../support/until.js';

const FORUM = {
  FORUM_AUTHORIZE_URL: 'https://forum.example/authorize',
  FORUM_TOKEN_URL: 'https://forum.example/token',
  FORUM_USERINFO_URL: 'https://forum.example/user',
  FORUM_CLIENT_ID: 'gatehouse',
  FORUM_CLIENT_SECRET: 'secret-of-the-forum',
};
const RELAXED = {
  rate_limit: { per_minute: 100_000 },
  verify: { per_address_hour: 100_000 },
  login_throttle: { address: { failures: 100_000 } },
};
const MINUTES = 60;
const HOURS = 60 * MINUTES;
const NEW = 'a new password';
let mail: MailServer;
let service: TestApp;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({
    extraModules: [ProbeModule],
    env: { ...FORUM, SMTP_URL: mail.url },
    settings: RELAXED,
  });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const newMailbox = () => `${unique('m')}@mail.example`;
const post = (path: string, body: object, token?: string, request = {}): Promise<Answer> =>
  service.client.post(`/api/${path}`, body, { token, ...request });
const account = async (token: string) => (await service.client.get('/api/account', { token })).body;
const me = (token: string) => service.client.get('/api/probe/me', { token });
const login = (name: string, password = PASSWORD, request = {}) =>
  post('login', { account: name, password }, undefined, request);
const bind = (connectId: string, more: object = {}, token?: string) =>
  post('forumauth/bind', { ticket: service.app.get(Tickets).issue(connectId), ...more }, token);

async function tokenFor(player: Player, request = {}): Promise<string> {
  return (await login(player.account, PASSWORD, request)).body.data.token;
}

async function codeFor(email: string): Promise<string> {
  expect((await post('send_code', { email })).status).toBe(200);
  return mail.codeFor(email);
}

async function fromTheForum(): Promise<{ token: string; name: string; connectId: string }> {
  const connectId = unique('person');
  const { token, account: name } = (await bind(connectId)).body.data;
  return { token, name, connectId };
}

async function expectToEnd(token: string): Promise<void> {
  expect((await me(token)).status).toBe(200);
  const { sid } = decodeJwt(token);
  const answer = await service.client.send('DELETE', `/api/sessions/${String(sid)}`, { token });
  expect(answer.body.data).toEqual({ ended: 1 });
  expect((await me(token)).body.error).toBe('unauthorized');
}

describe('GET /api/account', () => {
  it('shows the account of the caller', async () => {
    const player = await createPlayer(service, { email: newMailbox(), serverId: 7 });
    const token = await tokenFor(player);
    expect((await account(token)).data).toEqual({
      account: player.account,
      email: player.email,
      has_password: true,
      created_at: player.createdAt.toISOString(),
      server_id: 7,
      bindings: [],
    });
  });

  it('of somebody from the forum has no password, no mailbox, and the link', async () => {
    const { token, name, connectId } = await fromTheForum();
    expect((await account(token)).data).toMatchObject({
      account: name,
      email: null,
      has_password: false,
      bindings: [{ provider: 'forum', connect_id: connectId }],
    });
  });
});

describe('POST /api/account/password', () => {
  it('changes it, and ends every other session and token', async () => {
    const player = await createPlayer(service);
    const browser = BrowserSession.of(service);
    await browser.signIn(player.account, PASSWORD);
    const elsewhere = BrowserSession.of(service);
    await elsewhere.signIn(player.account, PASSWORD);
    const old = tokenOf(service, player);
    const form = { old_password: PASSWORD, password: NEW };
    const { data } = (await post('account/password', form, browser.token)).body;
    expect(data).toEqual({
      account: player.account,
      token: expect.any(String),
      expires_in: 86_400,
    });
    expect(decodeJwt(data.token).sid).toBe(decodeJwt(browser.token).sid);
    expect((await me(data.token)).status).toBe(200);
    for (const token of [browser.token, elsewhere.token, old])
      expect((await me(token)).body.error).toBe('unauthorized');
    expect((await elsewhere.refresh()).body.error).toBe('session_ended');
    expect((await browser.refresh()).status).toBe(200);
    expect((await login(player.account)).body.error).toBe('bad_credentials');
    expect((await login(player.account, NEW)).status).toBe(200);
  });

  it('takes a token of an earlier release, and gives it a session', async () => {
    const player = await createPlayer(service);
    const form = { old_password: PASSWORD, password: NEW };
    const { data } = (await post('account/password', form, tokenOf(service, player))).body;
    expect(decodeJwt(data.token).sid).toEqual(expect.any(Number));
    expect((await me(data.token)).status).toBe(200);
  });

  it('gives a token that its session outlasts, so that it can be ended', async () => {
    await service.changeSettings({ ...RELAXED, session: { remember_days: 1 } });
    const browser = BrowserSession.of(service);
    await browser.signIn((await createPlayer(service)).account, PASSWORD);
    await service.changeSettings(RELAXED);
    const form = { old_password: PASSWORD, password: NEW };
    const change = () => post('account/password', form, browser.token);
    const { token } = (await withClockAhead(23 * HOURS, change)).body.data;
    await withClockAhead(30 * HOURS, () => expectToEnd(token));
  });

  it.each([
    [{ password: NEW }, 'invalid_request'],
    [{ old_password: '', password: NEW }, 'invalid_request'],
    [{ old_password: PASSWORD, password: 'short' }, 'invalid_request'],
    [{ old_password: PASSWORD }, 'invalid_request'],
    [{ old_password: PASSWORD, password: { $ne: '' } }, 'invalid_request'],
    [{ old_password: PASSWORD, password: PASSWORD }, 'invalid_request'],
    [{ old_password: 'wrong', password: NEW }, 'bad_credentials'],
  ])('refuses %j', async (form, error) => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    expect((await post('account/password', form, token)).body.error).toBe(error);
    expect((await me(token)).status).toBe(200);
    expect((await login(player.account)).status).toBe(200);
  });

  it('counts wrong ones as failed logins: five lock the login too', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    const guess = () => post('account/password', { old_password: 'wrong', password: NEW }, token);
    const answers = await answersInTime(
      Array.from({ length: 12 }, guess),
      neverMoreThan(5, ({ body }) => body.error === 'bad_credentials'),
    );
    const errors = answers.map(({ body }) => body.error as string).toSorted();
    expect(errors).toEqual([
      ...Array<string>(5).fill('bad_credentials'),
      ...Array<string>(7).fill('login_throttled'),
    ]);
    expect((await login(player.account)).body.error).toBe('login_throttled');
    expect((await me(token)).status).toBe(200);
  });

  it('of twenty at once is changed by one', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    const change = (_: unknown, index: number) =>
      post('account/password', { old_password: PASSWORD, password: `password ${index}` }, token);
    const answers = await answersInTime(Array.from({ length: 20 }, change), neverMoreThan(1));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    for (const { body } of others)
      expect(['unauthorized', 'bad_credentials', 'login_throttled']).toContain(body.error);
    expect((await me(done[0]!.body.data.token)).status).toBe(200);
    const { ver } = await service.database.getRepository(Player).findOneByOrFail({ id: player.id });
    expect(ver).toBe(1);
  });

  it('sets the first one of an account from the forum, within ten minutes of the sign-in', async () => {
    const { token, name, connectId } = await fromTheForum();
    const set = (sent: string) => post('account/password', { password: NEW }, sent);
    expect((await withClockAhead(11 * MINUTES, () => set(token))).body.error).toBe('sign_in_again');
    const again = (await bind(connectId)).body.data.token;
    const { data } = (await set(again)).body;
    expect((await account(data.token)).data.has_password).toBe(true);
    expect((await login(name, NEW)).status).toBe(200);
    expect((await set(data.token)).body.error).toBe('invalid_request');
  });
});

describe('POST /api/session/confirm', () => {
  it('stands for a sign-in for ten minutes', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const token = await tokenFor(player);
    const answer = await withClockAhead(60 * MINUTES, () =>
      post('session/confirm', { password: PASSWORD }, token),
    );
    const left = Date.parse(answer.body.data.confirmed_until) - Date.now();
    expect(Math.abs(left - 70 * MINUTES * 1000)).toBeLessThan(60_000);
    const unbind = (minutes: number) =>
      withClockAhead(minutes * MINUTES, () => post('unbind', { provider: 'forum' }, token));
    expect((await unbind(69)).body.error).toBe('link_not_found');
    expect((await unbind(71)).body.error).toBe('sign_in_again');
  });

  it('is not what a refresh does', async () => {
    const { account: name } = await createPlayer(service);
    const browser = BrowserSession.of(service);
    await browser.signIn(name, PASSWORD);
    await withClockAhead(11 * MINUTES, async () => {
      expect((await browser.refresh()).status).toBe(200);
      const answer = await post('unbind', { provider: 'forum' }, browser.token);
      expect(answer.body.error).toBe('sign_in_again');
    });
  });

  it('refuses a wrong password, none, and one where the account has none', async () => {
    const token = await tokenFor(await createPlayer(service));
    const confirm = (body: object, sent = token) => post('session/confirm', body, sent);
    expect((await confirm({ password: 'wrong' })).body.error).toBe('bad_credentials');
    expect((await confirm({})).body.error).toBe('invalid_request');
    const forum = await fromTheForum();
    const answer = await confirm({ password: '!'.repeat(32) }, forum.token);
    expect(answer.body.error).toBe('bad_credentials');
    const old = tokenOf(service, await createPlayer(service));
    expect((await confirm({ password: PASSWORD }, old)).body.error).toBe('sign_in_again');
  });
});

describe('POST /api/account/email', () => {
  async function ready(player?: Partial<Player>) {
    const owner = await createPlayer(service, { email: newMailbox(), ...player });
    const token = await tokenFor(owner);
    const email = newMailbox();
    const code = await codeFor(email);
    return { owner, token, email, code };
  }
  const change = (form: object, token: string) => post('account/email', form, token);

  it('gives the account another mailbox, and tells the one before', async () => {
    const { owner, token, email, code } = await ready();
    const answer = await change({ email: email.toUpperCase(), code }, token);
    expect(answer.body.data).toEqual({ email });
    expect((await account(token)).data.email).toBe(email);
    const told = () => mail.mailsTo(owner.email!).find(({ raw }) => raw.includes('m***@'));
    await until(() => told() !== undefined);
    const { text, html } = await PostalMime.parse(told()!.raw);
    for (const part of [text, html]) {
      expect(part).toContain(owner.account);
      expect(part).toContain('m***@mail.example');
      expect(part).not.toContain(email);
    }
    expect((await change({ email, code }, token)).body.error).toBe('code_invalid');
  });

  it('tells every mailbox that was replaced, of several changes at once', async () => {
    const { owner, token } = await ready();
    const emails = Array.from({ length: 4 }, newMailbox);
    const forms = await Promise.all(
      emails.map(async (email) => ({ email, code: await codeFor(email) })),
    );
    const answers = await Promise.all(forms.map((form) => change(form, token)));
    expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 200));
    const last = (await account(token)).data.email;
    const isTold = (email: string) =>
      mail.mailsTo(email).some(({ raw }) => raw.includes('m***@mail.example'));
    await until(() => [owner.email!, ...emails].every((email) => isTold(email) || email === last));
    expect(isTold(last)).toBe(false);
  });

  it('makes an account from the forum one’s own, together with a password', async () => {
    const { token, name } = await fromTheForum();
    const email = newMailbox();
    expect((await change({ email, code: await codeFor(email) }, token)).status).toBe(200);
    expect((await post('account/password', { password: NEW }, token)).status).toBe(200);
    expect((await login(email, NEW)).body.data.account).toBe(name);
  });

  it('needs a sign-in of the last ten minutes, or the password', async () => {
    const { token, email, code } = await ready();
    const other = await createPlayer(service);
    const stale = await withClockAhead(-11 * MINUTES, () => tokenFor(other));
    expect((await change({ email, code }, stale)).body.error).toBe('sign_in_again');
    const wrong = await change({ email, code, password: 'wrong' }, stale);
    expect(wrong.body.error).toBe('bad_credentials');
    expect((await change({ email, code, password: PASSWORD }, stale)).status).toBe(200);
    expect((await me(token)).status).toBe(200);
  });

  it('refuses a wrong code, and a mailbox that another account has', async () => {
    const { owner, token, email, code } = await ready();
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect((await change({ email, code: wrong }, token)).body.error).toBe('code_invalid');
    await createPlayer(service, { email });
    expect((await change({ email, code }, token)).body.error).toBe('email_taken');
    expect((await account(token)).data.email).toBe(owner.email);
    for (const form of [{ email: 'x', code }, { email }, { email: ['a@b.example'], code }])
      expect((await change(form, token)).body.error).toBe('invalid_request');
  });
});

describe('POST /api/unbind', () => {
  const unbind = (token: string, provider: unknown = 'forum') =>
    post('unbind', { provider }, token);

  it('takes the link away, once there is a password', async () => {
    const { token, connectId } = await fromTheForum();
    expect((await unbind(token)).body.error).toBe('last_way_in');
    const { data } = (await post('account/password', { password: NEW }, token)).body;
    const answer = await unbind(data.token);
    expect(answer.body.data).toEqual({});
    expect((await account(data.token)).data.bindings).toEqual([]);
    expect((await bind(connectId)).body.data.created).toBe(true);
  });

  it('refuses what is not linked, and what is no provider', async () => {
    const token = await tokenFor(await createPlayer(service));
    expect((await unbind(token)).body.error).toBe('link_not_found');
    for (const provider of ['', 'Forum!', 7, null])
      expect((await unbind(token, provider)).body.error).toBe('invalid_request');
  });

  it('and a new link need a sign-in of the last ten minutes', async () => {
    const player = await createPlayer(service);
    const stale = await withClockAhead(-11 * MINUTES, () => tokenFor(player));
    expect((await unbind(stale)).body.error).toBe('sign_in_again');
    const connectId = unique('person');
    const ticket = service.app.get(Tickets).issue(connectId);
    const refused = await post('forumauth/bind', { ticket }, stale);
    expect(refused.body.error).toBe('sign_in_again');
    await post('session/confirm', { password: PASSWORD }, stale);
    const linked = await post('forumauth/bind', { ticket }, stale);
    expect(linked.body.data).toMatchObject({ account: player.account, created: false });
    expect(decodeJwt(linked.body.data.token).sid).toBe(decodeJwt(stale).sid);
    expect((await unbind(stale)).status).toBe(200);
  });

  it('lets a new link give a token that its session outlasts, so that it can be ended', async () => {
    const old = await tokenFor(await createPlayer(service));
    const { token } = await withClockAhead(23 * HOURS, async () => {
      await post('session/confirm', { password: PASSWORD }, old);
      return (await bind(unique('person'), {}, old)).body.data;
    });
    await withClockAhead(30 * HOURS, () => expectToEnd(token));
  });
});

describe('a login by mailbox', () => {
  it('is one where no account has that name', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const { data } = (await login(email.toUpperCase())).body;
    expect(data.account).toBe(player.account);
    expect((await login(email, 'wrong')).body.error).toBe('bad_credentials');
    const named = await createPlayer(service, { account: email });
    expect((await login(email)).body.data.account).toBe(named.account);
  });

  it('takes a mailbox for nothing but itself', async () => {
    const name = unique('jose');
    await createPlayer(service, { email: `${name}é@mail.example` });
    expect((await login(`${name}e@mail.example`)).body.error).toBe('bad_credentials');
    expect((await login(`${name}é@mail.example`)).status).toBe(200);
    expect((await login(`${name}é@mail.example `)).body.error).toBe('bad_credentials');
  });

  it('is counted as one by name: five wrong ones lock both', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    for (const name of [email, player.account, email.toUpperCase(), email, player.account])
      expect((await login(name, 'wrong')).body.error).toBe('bad_credentials');
    for (const name of [email, player.account])
      expect((await login(name)).body.error).toBe('login_throttled');
  });
});

describe('a forgotten name', () => {
  it('is in the mail with the code, and the answer tells nothing of it', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const nobody = newMailbox();
    const [known, unknown] = await Promise.all(
      [player.email!, nobody].map((email) => post('send_code', { email })),
    );
    expect(known!.body).toEqual(unknown!.body);
    const parts = async (email: string) => {
      const { text = '', html = '' } = await PostalMime.parse(mail.mailsTo(email)[0]!.raw);
      return [text, html];
    };
    for (const part of await parts(player.email!)) expect(part).toContain(player.account);
    for (const part of await parts(nobody)) expect(part).not.toContain('account');
  });
});

describe('the other sign-ins', () => {
  it('stay where they are asked to: registration and forum', async () => {
    const server = await addServer(service.database);
    const email = newMailbox();
    const form = { account: unique('a').slice(0, 20), password: PASSWORD, email, device: 'Pad' };
    const code = await codeFor(email);
    const registered = await post('register', {
      ...form,
      code,
      server_id: server.id,
      remember: true,
    });
    expect(registered.headers.getSetCookie()).toHaveLength(1);
    const { token } = registered.body.data;
    const { body } = await service.client.get('/api/sessions', { token });
    expect(body.data.sessions).toMatchObject([{ device: 'Pad', os: null, remembered: true }]);
    const connectId = unique('person');
    for (const created of [true, false]) {
      const bound = await bind(connectId, { remember: true });
      expect(bound.body.data.created).toBe(created);
      expect(bound.headers.getSetCookie()).toHaveLength(1);
      expect(decodeJwt(bound.body.data.token).sid).toEqual(expect.any(Number));
    }
    expect((await bind(unique('person'))).headers.getSetCookie()).toEqual([]);
  });

  it('by reset ends all sessions before, cookies too', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const browser = BrowserSession.of(service);
    await browser.signIn(player.account, PASSWORD);
    const code = await codeFor(player.email!);
    const form = { account: player.account, email: player.email, code, password: NEW };
    const { token } = (await post('reset_password', form)).body.data;
    expect((await browser.refresh()).body.error).toBe('session_ended');
    const { body } = await service.client.get('/api/sessions', { token });
    expect(body.data.sessions).toMatchObject([{ current: true }]);
  });
});

describe('a sign-in from a new address', () => {
  const mails = (email: string) =>
    mail.mailsTo(email).filter(({ raw }) => raw.includes('new address'));

  it('is told to the owner, once an hour at most', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const headers = { 'User-Agent': 'Firefox/140.0 <script>' };
    await tokenFor(player, { from: '198.51.100.21', headers });
    await until(() => mails(player.email!).length === 1);
    const { text, html } = await PostalMime.parse(mails(player.email!)[0]!.raw);
    for (const part of [text, html]) {
      for (const told of [player.account, 'Firefox 140.0', '198.51.100.21', 'UTC', '/account'])
        expect(part).toContain(told);
      expect(part).not.toContain('<script>');
    }
    await tokenFor(player, { from: '198.51.100.21' });
    await tokenFor(player, { from: '198.51.100.22' });
    const other = await createPlayer(service, { email: newMailbox() });
    await tokenFor(other, { from: '198.51.100.23' });
    // They go out in turn: once this one is there, the one before would be.
    await until(() => mails(other.email!).length === 1);
    expect(mails(player.email!)).toHaveLength(1);
  });

  it('is told even where somebody with a token has confirmed the password there', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const token = await tokenFor(player, { from: '198.51.100.41' });
    await until(() => mails(player.email!).length === 1);
    await withClockAhead(2 * HOURS, async () => {
      const there = { from: '198.51.100.42' };
      const confirm = post('session/confirm', { password: PASSWORD }, token, there);
      expect((await confirm).status).toBe(200);
      await tokenFor(player, there);
      await until(() => mails(player.email!).length === 2);
    });
  });

  it('by the forum is told once, for as long as it is used', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const connectId = unique('person');
    await bind(connectId, { account: player.account, password: PASSWORD });
    await until(() => mails(player.email!).length === 1);
    await withClockAhead(20 * 24 * HOURS, () => bind(connectId));
    const { seenAt } = await service.database
      .getRepository(LoginAddress)
      .findOneByOrFail({ playerId: player.id });
    expect(seenAt.getTime()).toBeGreaterThan(Date.now() + 19 * 24 * HOURS * 1000);
    expect(mails(player.email!)).toHaveLength(1);
  });

  it('is told nobody where the settings say so, nor one that failed', async () => {
    await service.changeSettings({ ...RELAXED, mail: { new_device: false } });
    const quiet = await createPlayer(service, { email: newMailbox() });
    await tokenFor(quiet, { from: '198.51.100.31' });
    await service.changeSettings(RELAXED);
    const player = await createPlayer(service, { email: newMailbox() });
    await login(player.account, 'wrong', { from: '198.51.100.32' });
    const other = await createPlayer(service, { email: newMailbox() });
    await tokenFor(other, { from: '198.51.100.33' });
    await until(() => mails(other.email!).length === 1);
    expect([mails(quiet.email!), mails(player.email!)]).toEqual([[], []]);
  });

  it('does not wait for a mail server that hangs', async () => {
    const silent = await SlowMailServer.start({ greeting: 60 });
    const app = await startApp({ env: { SMTP_URL: silent.url } });
    const player = await createPlayer(app, { email: newMailbox() });
    const body = { account: player.account, password: PASSWORD };
    const answer = await app.client.post('/api/login', body);
    expect(answer.status).toBe(200);
    await until(() => silent.reached.length === 1);
    silent.stop();
    await app.stop();
  });
});
