import { decodeJwt } from 'jose';
import PostalMime from 'postal-mime';
import { In } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NewDeviceMail } from '../../../src/features/accounts/new-device-mail.js';
import { RowQueue } from '../../../src/platform/database/row-queue.js';
import { LoginAddress } from '../../../src/features/accounts/login-addresses.service.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { reserveNames } from '../../../src/platform/auth/reserved-names.js';
import { SignedTokens } from '../../../src/platform/auth/signed-tokens.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { MailService } from '../../../src/platform/mail/mail.service.js';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import { addServer, createPlayer, passwordHash, tokenOf } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { profileRequests, startProfileApp } from '../../support/api/profile.js';
import { allAtOnce, inParallel, times } from '../../support/api/parallel.js';
import { until } from '../../support/until.js';

const players = () => service.database.getRepository(Player);
const MINUTES = 60;
const HOURS = 60 * MINUTES;
const NEW = 'a new password';
let service: MailApp;

beforeAll(async () => {
  service = await startProfileApp();
});
afterAll(() => service.stop());

const { post, account, me, login, bind, tokenFor, codeFor, fromTheForum } = profileRequests(
  () => service,
);

describe('GET /api/account', () => {
  it("shows the caller's account", async () => {
    const player = await createPlayer(service, { email: newMailbox(), serverId: 7 });
    const token = await tokenFor(player);
    expect((await account(token)).data).toEqual({
      account: player.account,
      email: player.email,
      has_password: true,
      created_at: player.createdAt.toISOString(),
      server_id: 7,
      closing_at: null,
      bindings: [],
      two_factor: { totp: false, passkeys: [], recovery_codes_left: 0 },
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

  it('lets only one of many parallel changes succeed', async () => {
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

  it('rejects the password of another player who has the same old name', async () => {
    const player = await createPlayer(service);
    const other = await createPlayer(service, { password: passwordHash(service, NEW) });
    const token = await tokenFor(player);
    await service.database.query('INSERT INTO player_alias (name, player_id) VALUES (?, ?)', [
      player.account,
      other.id,
    ]);
    const answer = await post('session/confirm', { password: NEW }, token);
    expect(answer.body.error).toBe('bad_credentials');
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
  const change = (form: object, token: string) =>
    post('account/email', { password: PASSWORD, ...form }, token);

  it('changes the e-mail address and notifies the previous one', async () => {
    const { owner, token, email, code } = await ready();
    const answer = await change({ email: email.toUpperCase(), code }, token);
    expect(answer.body.data).toEqual({ email });
    expect((await account(token)).data.email).toBe(email);
    const told = () => service.mail.mailsTo(owner.email!).find(({ raw }) => raw.includes('m***@'));
    await until(() => told() !== undefined);
    const { text, html } = await PostalMime.parse(told()!.raw);
    for (const part of [text, html]) {
      expect(part).toContain(owner.account);
      expect(part).toContain('m***@mail.example');
      expect(part).not.toContain(email);
    }
    expect((await change({ email, code }, token)).body.error).toBe('code_invalid');
  });

  it('notifies every replaced e-mail address after parallel changes', async () => {
    const { owner, token } = await ready();
    const emails = Array.from({ length: 4 }, newMailbox);
    const forms = await Promise.all(
      emails.map(async (email) => ({ email, code: await codeFor(email) })),
    );
    const answers = await allAtOnce(forms.map((form) => () => change(form, token)));
    expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 200));
    const last = (await account(token)).data.email;
    const isTold = (email: string) =>
      service.mail.mailsTo(email).some(({ raw }) => raw.includes('m***@mail.example'));
    await until(() => [owner.email!, ...emails].every((email) => isTold(email) || email === last));
    expect(isTold(last)).toBe(false);
  });

  it('rejects a wrong code and an e-mail address that belongs to another account', async () => {
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

describe('POST /api/account/email/undo', () => {
  const undo = (token: string) => post('account/email/undo', { token });

  async function move(token: string, to: string, password = PASSWORD) {
    const form = { email: to, code: await codeFor(to), password };
    expect((await post('account/email', form, token)).status).toBe(200);
  }
  async function linkFor(mailbox: string): Promise<string> {
    const told = () => service.mail.mailsTo(mailbox).find(({ raw }) => raw.includes('m***@'));
    await until(() => told() !== undefined);
    const { text = '' } = await PostalMime.parse(told()!.raw);
    return /#undo=(\S+)/.exec(text)![1]!;
  }
  const emailOf = async (id: number) =>
    (await service.database.getRepository(Player).findOneByOrFail({ id })).email;

  it('restores the e-mail address, ends all sessions and links, and requires a new password', async () => {
    const [mine, theirs] = [newMailbox(), newMailbox()];
    const player = await createPlayer(service, { email: mine });
    const token = await tokenFor(player);
    const connectId = unique('person');
    await bind(connectId, {}, token);
    await move(token, theirs);
    expect((await undo(await linkFor(mine))).body).toMatchObject({ code: 0, data: {} });
    expect((await me(token)).status).toBe(401);
    expect((await login(player.account)).body.error).toBe('bad_credentials');
    expect((await bind(connectId)).body.data.created).toBe(true);
    const hash = passwordHash(service, PASSWORD);
    const check = await post('check', { account: player.account, token: hash });
    expect(check.body.error).toBe('token_invalid');
    const reset = async (email: string) => {
      const form = { account: player.account, email, code: await codeFor(email), password: NEW };
      return post('reset_password', form);
    };
    const [refused, back] = await withClockAhead(2 * MINUTES, async () => [
      await reset(theirs),
      await reset(mine),
    ]);
    expect(refused.body.error).toBe('code_invalid');
    expect((await account(back.body.data.token)).data.email).toBe(mine);
  });

  it('works once, even for parallel requests', async () => {
    const mine = newMailbox();
    const player = await createPlayer(service, { email: mine });
    await move(await tokenFor(player), newMailbox());
    const link = await linkFor(mine);
    const answers = await inParallel(() => undo(link));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    expect((await undo(link)).body.error).toBe('code_invalid');
    expect(await emailOf(player.id)).toBe(mine);
  });

  it('invalidates the links of later changes, but not those of earlier ones', async () => {
    const boxes = Array.from({ length: 3 }, newMailbox);
    const player = await createPlayer(service, { email: boxes[0] });
    const token = await tokenFor(player);
    await move(token, boxes[1]!);
    await move(token, boxes[2]!);
    const [first, second] = [await linkFor(boxes[0]!), await linkFor(boxes[1]!)];
    expect((await undo(second)).status).toBe(200);
    expect(await emailOf(player.id)).toBe(boxes[1]);
    expect((await undo(first)).status).toBe(200);
    expect((await undo(second)).body.error).toBe('code_invalid');
    expect(await emailOf(player.id)).toBe(boxes[0]);
  });

  it('rejects forged and expired links, and an e-mail address that another account has taken', async () => {
    const mine = newMailbox();
    const player = await createPlayer(service, { email: mine });
    const token = await tokenFor(player);
    const theirs = newMailbox();
    await move(token, theirs);
    const link = await linkFor(mine);
    const unknown = { playerId: 99_999_999, version: 1 };
    const nobody = service.app.get(SignedTokens).sign('mailbox undo', unknown);
    for (const forged of ['x', token, link.slice(0, -2), tokenOf(service, player), nobody])
      expect((await undo(forged)).body.error).toBe('code_invalid');
    const late = await withClockAhead(73 * 60 * MINUTES, () => undo(link));
    expect(late.body.error).toBe('code_invalid');
    const other = await createPlayer(service, { email: mine });
    expect((await undo(link)).body.error).toBe('email_taken');
    await service.database.getRepository(Player).update(other.id, { email: null });
    const inTime = await withClockAhead(71 * 60 * MINUTES, () => undo(link));
    expect(inTime.status).toBe(200);
  });
});

describe('POST /api/account/name', () => {
  const choose = (to: string, token: string) => post('account/name', { account: to }, token);
  const newName = () => unique('chosen');

  it('replaces a generated name once, and keeps the session and the link', async () => {
    const { token, name, connectId } = await fromTheForum();
    const to = newName();
    const { status, body } = await choose(to, token);
    expect(status).toBe(200);
    expect(body.data).toEqual({ account: to, token: expect.any(String), expires_in: 86_400 });
    expect(decodeJwt(body.data.token).sid).toBe(decodeJwt(token).sid);
    expect((await account(body.data.token)).data.account).toBe(to);
    expect((await me(token)).body.error).toBe('unauthorized');
    expect((await bind(connectId)).body.data.account).toBe(to);
    const again = await choose(newName(), body.data.token);
    expect([again.status, again.body.code]).toEqual([409, 40908]);
    const { id } = await players().findOneByOrFail({ account: to });
    const changes = 'SELECT what, detail FROM player_change WHERE player_id = ?';
    await expect
      .poll(() => service.database.query(changes, [id]), { timeout: 50_000 })
      .toEqual([{ what: 'name', detail: `${name} → ${to}` }]);
  });

  it('lets no other player register a generated name that was replaced', async () => {
    const { token, name } = await fromTheForum();
    expect((await choose(newName(), token)).status).toBe(200);
    const email = newMailbox();
    const server_id = (await addServer(service.database)).id;
    const form = { account: name, password: PASSWORD, email, server_id };
    const registered = await post('register', { ...form, code: await codeFor(email) });
    expect(registered.body.error).toBe('account_taken');
    expect(await players().existsBy({ account: name })).toBe(false);
  });

  it('accepts one of many parallel choices', async () => {
    const { token } = await fromTheForum();
    const names = times(10, newName);
    const answers = await allAtOnce(names.map((to) => () => choose(to, token)));
    const chosen = answers.filter(({ status }) => status === 200);
    expect(chosen).toHaveLength(1);
    const found = await service.database.getRepository(Player).findBy({ account: In(names) });
    expect(found.map((player) => player.account)).toEqual([chosen[0]!.body.data.account]);
  });

  it.each<[string, (player: Player) => Promise<unknown>]>([
    ['has entered a server', ({ id }) => players().update({ id }, { enterCount: 1 })],
    ['has a name in the game', ({ id }) => players().update({ id }, { gameAccount: unique('g') })],
    ['has a name of its own', ({ id }) => players().update({ id }, { account: unique('own') })],
  ])('is rejected if the account %s', async (_, change) => {
    const { name, connectId } = await fromTheForum();
    await change(await players().findOneByOrFail({ account: name }));
    const { token } = (await bind(connectId)).body.data;
    expect((await choose(newName(), token)).body.error).toBe('act_refused');
  });

  it('rejects the account name or game name of another player, a reserved name and a malformed one', async () => {
    const { token } = await fromTheForum();
    const other = await createPlayer(service, { gameAccount: unique('ingame') });
    const [former] = await reserveNames(service.database, [unique('former')]);
    for (const taken of [other.account.toUpperCase(), other.gameAccount!, former!, 'Admin'])
      expect((await choose(taken, token)).body.error, taken).toBe('account_taken');
    for (const wrong of ['abc', 'a b c d', 'forum_abcdefghij', 'x'.repeat(21)])
      expect((await choose(wrong, token)).body.error, wrong).toBe('invalid_request');
  });

  it('requires a recent sign-in', async () => {
    const { token } = await fromTheForum();
    await withClockAhead(11 * MINUTES, async () =>
      expect((await choose(newName(), token)).body.error).toBe('sign_in_again'),
    );
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

describe('POST /api/login with an e-mail address', () => {
  it("finds the account unless the e-mail address is another account's name", async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const { data } = (await login(email.toUpperCase())).body;
    expect(data.account).toBe(player.account);
    expect((await login(email, 'wrong')).body.error).toBe('bad_credentials');
    const named = await createPlayer(service, { account: email });
    expect((await login(email)).body.data.account).toBe(named.account);
  });

  it('compares e-mail addresses exactly apart from case', async () => {
    const name = unique('jose');
    await createPlayer(service, { email: `${name}é@mail.example` });
    expect((await login(`${name}e@mail.example`)).body.error).toBe('bad_credentials');
    expect((await login(`${name}é@mail.example`)).status).toBe(200);
    expect((await login(`${name}é@mail.example `)).body.error).toBe('bad_credentials');
  });
});

describe('A password reset', () => {
  it('ends all earlier sessions and cookies', async () => {
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
    service.mail.mailsTo(email).filter(({ raw }) => raw.includes('new address'));

  it('is reported to the owner by e-mail at most once an hour', async () => {
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
    // E-mails are sent in order, so an earlier e-mail would have arrived before this one.
    await until(() => mails(other.email!).length === 1);
    expect(mails(player.email!)).toHaveLength(1);
  });

  it('is reported by e-mail only once by two instances without shared counters', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const { app, database } = service;
    const startInstance = () =>
      new NewDeviceMail(
        app.get(Settings),
        app.get(Environment),
        app.get(MailService),
        database.getRepository(Player),
        app.get(RowQueue),
      );
    const instances = [startInstance(), startInstance()];
    const context = { requestId: 'r', address: '198.51.100.24' };
    await Promise.all(instances.map((each) => each['send'](player.id, context, new Date())));
    expect(mails(player.email!)).toHaveLength(1);
  });

  it('is reported by e-mail once if it is a forum sign-in and the address remains in use', async () => {
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
