import { decodeJwt } from 'jose';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoginAddress } from '../../../src/features/accounts/login-address.entity.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { profileRequests, startProfileApp } from '../../support/api/profile.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import { MailServer } from '../../support/servers/smtp.js';
import { until } from '../../support/until.js';

const MINUTES = 60;
const HOURS = 60 * MINUTES;
const NEW = 'a new password';
let mail: MailServer;
let service: TestApp;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startProfileApp(mail);
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const { post, account, me, login, bind, tokenFor, codeFor, fromTheForum } = profileRequests(
  () => service,
  () => mail,
);

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
});

describe('POST /api/account/password', () => {
  it('changes the password and ends every other session and token', async () => {
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

  it('lets one of many parallel changes succeed', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    const change = (index: number) => () =>
      post('account/password', { old_password: PASSWORD, password: `password ${index}` }, token);
    const answers = await allAtOnce(times(10, change));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    for (const { body } of others)
      expect(['unauthorized', 'bad_credentials', 'login_throttled']).toContain(body.error);
    expect((await me(done[0]!.body.data.token)).status).toBe(200);
    const { ver } = await service.database.getRepository(Player).findOneByOrFail({ id: player.id });
    expect(ver).toBe(1);
  });
});

describe('POST /api/session/confirm', () => {
  it('counts as a recent sign-in for ten minutes', async () => {
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

  it('changes the mailbox and notifies the previous one', async () => {
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

  it('notifies every replaced mailbox when changes come in parallel', async () => {
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

  it('rejects a wrong code and a mailbox that belongs to another account', async () => {
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

  it('removes the link once the account has a password', async () => {
    const { token, connectId } = await fromTheForum();
    expect((await unbind(token)).body.error).toBe('last_way_in');
    const { data } = (await post('account/password', { password: NEW }, token)).body;
    const answer = await unbind(data.token);
    expect(answer.body.data).toEqual({});
    expect((await account(data.token)).data.bindings).toEqual([]);
    expect((await bind(connectId)).body.data.created).toBe(true);
  });
});

describe('POST /api/login with a mailbox', () => {
  it('finds the account by mailbox unless another account has that name', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const { data } = (await login(email.toUpperCase())).body;
    expect(data.account).toBe(player.account);
    expect((await login(email, 'wrong')).body.error).toBe('bad_credentials');
    const named = await createPlayer(service, { account: email });
    expect((await login(email)).body.data.account).toBe(named.account);
  });

  it('compares mailboxes exactly apart from case', async () => {
    const name = unique('jose');
    await createPlayer(service, { email: `${name}é@mail.example` });
    expect((await login(`${name}e@mail.example`)).body.error).toBe('bad_credentials');
    expect((await login(`${name}é@mail.example`)).status).toBe(200);
    expect((await login(`${name}é@mail.example `)).body.error).toBe('bad_credentials');
  });
});

describe('Registration, forum sign-in and password reset', () => {
  it('end all earlier sessions and cookies on a password reset', async () => {
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

describe('A sign-in from a new address', () => {
  const mails = (email: string) =>
    mail.mailsTo(email).filter(({ raw }) => raw.includes('new address'));

  it('is mailed to the owner at most once an hour', async () => {
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
    // Mails are sent in order: an earlier one would have arrived before this one.
    await until(() => mails(other.email!).length === 1);
    expect(mails(player.email!)).toHaveLength(1);
  });

  it('is mailed once for a forum sign-in while the address stays in use', async () => {
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
});
