import { decodeJwt } from 'jose';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoginEvent } from '../../src/platform/audit/audit.entity.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { ForumTickets } from '../../src/features/forum-auth/forum-tickets.js';
import { newMailbox, PASSWORD, unique } from '../support/accounts.js';
import { startApp } from '../support/api/app.js';
import { BrowserSession } from '../support/api/browser-session.js';
import { createPlayer, addServer, tokenOf } from '../support/api/factories.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import type { MailApp } from '../support/api/mail-app.js';
import { profileRequests, RELAXED, startProfileApp } from '../support/api/profile.js';
import { allAtOnce, times } from '../support/api/parallel.js';
import { SlowMailServer } from '../support/servers/slow-mail-server.js';
import { until } from '../support/until.js';

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

async function expectToEnd(token: string): Promise<void> {
  expect((await me(token)).status).toBe(200);
  const { sid } = decodeJwt(token);
  const answer = await service.client.send('DELETE', `/api/sessions/${String(sid)}`, { token });
  expect(answer.body.data).toEqual({ ended: 1 });
  expect((await me(token)).body.error).toBe('unauthorized');
}

describe('GET /api/account', () => {
  it('shows a forum account with its link and without a password or e-mail address', async () => {
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
  it('accepts a token without a session and returns one with a session', async () => {
    const player = await createPlayer(service);
    const form = { old_password: PASSWORD, password: NEW };
    const { data } = (await post('account/password', form, tokenOf(service, player))).body;
    expect(decodeJwt(data.token).sid).toEqual(expect.any(Number));
    expect((await me(data.token)).status).toBe(200);
  });

  it('returns a token that expires with its session', async () => {
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
  ])('for %j returns %s', async (form, error) => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    expect((await post('account/password', form, token)).body.error).toBe(error);
    expect((await me(token)).status).toBe(200);
    expect((await login(player.account)).status).toBe(200);
  });

  it('informs the owner by e-mail and operators by an event', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const form = { old_password: PASSWORD, password: NEW };
    expect((await post('account/password', form, await tokenFor(player))).status).toBe(200);
    let notice: Email | undefined;
    await until(async () => {
      const parsed = await Promise.all(
        service.mail.mailsTo(email).map(({ raw }) => PostalMime.parse(raw)),
      );
      notice = parsed.find(({ subject }) => subject?.includes('Your password was changed'));
      return notice !== undefined;
    });
    expect(notice?.text).toContain(player.account);
    expect(notice?.text).toContain('/signin?mode=reset');
    const event = { playerId: player.id, way: 'password' as const, outcome: 'ok' };
    await until(() => service.database.getRepository(LoginEvent).existsBy(event));
  });

  it('counts wrong passwords as failed logins, so five of them lock the login', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    const guess = () => post('account/password', { old_password: 'wrong', password: NEW }, token);
    const answers = await allAtOnce(times(12, () => guess));
    const errors = answers.map(({ body }) => body.error as string).toSorted();
    expect(errors).toEqual([
      ...Array<string>(5).fill('bad_credentials'),
      ...Array<string>(7).fill('login_throttled'),
    ]);
    expect((await login(player.account)).body.error).toBe('login_throttled');
    expect((await me(token)).status).toBe(200);
  });

  it("sets a forum account's first password within ten minutes of the sign-in", async () => {
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
  it('is required even after a session refresh', async () => {
    const { account: name } = await createPlayer(service);
    const browser = BrowserSession.of(service);
    await browser.signIn(name, PASSWORD);
    await withClockAhead(11 * MINUTES, async () => {
      expect((await browser.refresh()).status).toBe(200);
      const answer = await post('unbind', { provider: 'forum' }, browser.token);
      expect(answer.body.error).toBe('sign_in_again');
    });
  });

  it('rejects a wrong or missing password, and any password for an account without one', async () => {
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

  it('lets a forum account sign in by e-mail address and password', async () => {
    const { token, name } = await fromTheForum();
    const email = newMailbox();
    expect((await change({ email, code: await codeFor(email) }, token)).status).toBe(200);
    expect((await post('account/password', { password: NEW }, token)).status).toBe(200);
    expect((await login(email, NEW)).body.data.account).toBe(name);
  });

  it('always requires the password, however recent the sign-in', async () => {
    const { token, email, code } = await ready();
    const without = await change({ email, code }, token);
    expect(without.body.details).toMatchObject([{ field: 'password' }]);
    const wrong = await change({ email, code, password: 'wrong' }, token);
    expect(wrong.body.error).toBe('bad_credentials');
    expect((await change({ email, code, password: PASSWORD }, token)).status).toBe(200);
  });

  it('requires a recent sign-in for an account without a password', async () => {
    const { token } = await withClockAhead(-11 * MINUTES, fromTheForum);
    const email = newMailbox();
    const form = { email, code: await codeFor(email) };
    expect((await change(form, token)).body.error).toBe('sign_in_again');
  });
});

describe('POST /api/unbind', () => {
  const unbind = (token: string, provider: unknown = 'forum') =>
    post('unbind', { provider }, token);

  it('rejects an identity that is not linked and an invalid provider', async () => {
    const token = await tokenFor(await createPlayer(service));
    expect((await unbind(token)).body.error).toBe('link_not_found');
    for (const provider of ['', 'Forum!', 7, null])
      expect((await unbind(token, provider)).body.error).toBe('invalid_request');
  });

  it('requires a recent sign-in, as does a new link', async () => {
    const player = await createPlayer(service);
    const stale = await withClockAhead(-11 * MINUTES, () => tokenFor(player));
    expect((await unbind(stale)).body.error).toBe('sign_in_again');
    const connectId = unique('person');
    const ticket = service.app.get(ForumTickets).issue(connectId);
    const refused = await post('forumauth/bind', { ticket }, stale);
    expect(refused.body.error).toBe('sign_in_again');
    await post('session/confirm', { password: PASSWORD }, stale);
    const linked = await post('forumauth/bind', { ticket }, stale);
    expect(linked.body.data).toMatchObject({ account: player.account, created: false });
    expect(decodeJwt(linked.body.data.token).sid).toBe(decodeJwt(stale).sid);
    expect((await unbind(stale)).status).toBe(200);
  });

  it('can be followed by a new link, whose token expires with its session', async () => {
    const old = await tokenFor(await createPlayer(service));
    const { token } = await withClockAhead(23 * HOURS, async () => {
      await post('session/confirm', { password: PASSWORD }, old);
      return (await bind(unique('person'), {}, old)).body.data;
    });
    await withClockAhead(30 * HOURS, () => expectToEnd(token));
  });
});

describe('POST /api/login with an e-mail address', () => {
  it('counts failures together with failures by account name', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    for (const name of [email, player.account, email.toUpperCase(), email, player.account])
      expect((await login(name, 'wrong')).body.error).toBe('bad_credentials');
    for (const name of [email, player.account])
      expect((await login(name)).body.error).toBe('login_throttled');
  });
});

describe('POST /api/send_code', () => {
  it('mails the account name with the code, and does not reveal the name in the response', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const nobody = newMailbox();
    const [known, unknown] = await Promise.all(
      [player.email!, nobody].map((email) => post('send_code', { email })),
    );
    expect(known!.body).toEqual(unknown!.body);
    const parts = async (email: string) => {
      const { text = '', html = '' } = await PostalMime.parse(service.mail.mailsTo(email)[0]!.raw);
      return [text, html];
    };
    for (const part of await parts(player.email!)) expect(part).toContain(player.account);
    for (const part of await parts(nobody)) expect(part).not.toContain(player.account);
  });
});

describe('Registration, forum sign-in and password reset', () => {
  it('set the session cookie when remember is true', async () => {
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
});

describe('A sign-in from a new address', () => {
  const mails = (email: string) =>
    service.mail.mailsTo(email).filter(({ raw }) => raw.includes('new address'));

  it('is reported by e-mail even if the password was confirmed from that address before', async () => {
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

  it('is not reported by e-mail if the setting is off or the sign-in failed', async () => {
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

  it('does not wait for a hanging mail server', async () => {
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
