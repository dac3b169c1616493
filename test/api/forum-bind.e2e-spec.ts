import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LoginService } from '../../src/features/accounts/login.service.js';
import { RegistrationDay } from '../../src/features/accounts/registration-day.entity.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { AutomaticRegistration } from '../../src/features/forum-auth/automatic-registration.js';
import { SignedValues } from '../../src/features/forum-auth/signed-values.js';
import { ExpiredRowCleaner } from '../../src/platform/database/expired-row-cleaner.js';
import { UsedTokenStore } from '../../src/features/forum-auth/used-token-store.js';
import { Tickets } from '../../src/features/forum-auth/tickets.js';
import { UsedOnce } from '../../src/features/forum-auth/used-once.entity.js';
import { PlayerLink } from '../../src/features/links/player-link.entity.js';
import { SessionsService } from '../../src/features/sessions/sessions.service.js';
import { type TestApp, startApp } from '../support/api/app.js';
import type { Answer } from '../support/api/client.js';
import { createPlayer, PASSWORD, tokenOf, unique } from '../support/api/factories.js';
import { answersInTime, neverMoreThan } from '../support/run/slow-machine.js';

const FORUM = {
  FORUM_AUTHORIZE_URL: 'https://forum.example/authorize',
  FORUM_TOKEN_URL: 'https://forum.example/token',
  FORUM_USERINFO_URL: 'https://forum.example/user',
  FORUM_CLIENT_ID: 'gatehouse',
  FORUM_CLIENT_SECRET: 'secret-of-the-forum',
};
let service: TestApp;

beforeAll(async () => {
  service = await startApp({ env: FORUM });
});
afterEach(() => vi.useRealTimers());
afterAll(() => service.stop());

const ticketFor = (connectId: string) => service.app.get(Tickets).issue(connectId);
const bind = (body: object, request = {}): Promise<Answer> =>
  service.client.post('/api/forumauth/bind', body, request);
const outcomes = (answers: Answer[]) =>
  answers.map(({ body }) => String(body.error ?? 'ok')).toSorted();
const bindingsOf = async (token: string) =>
  (await service.client.get('/api/bind', { token })).body.data.bindings;
const players = () => service.database.getRepository(Player);
const takenToday = async () =>
  (await service.database.getRepository(RegistrationDay).find()).reduce(
    (sum, { taken }) => sum + taken,
    0,
  );

describe('POST /api/forumauth/bind with the ticket alone', () => {
  it('registers an account, linked and logged in', async () => {
    const connectId = unique('person');
    const before = await takenToday();
    const answer = await bind({ ticket: ticketFor(connectId) }, { from: '198.51.100.7' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body.data).toEqual({
      account: expect.stringMatching(/^forum_[a-z0-9]{10}$/),
      token: expect.any(String),
      expires_in: 86_400,
      created: true,
    });
    const { account, token } = answer.body.data;
    expect(await bindingsOf(token)).toMatchObject([{ provider: 'forum', connect_id: connectId }]);
    expect(await players().findOneBy({ account })).toMatchObject({ ip: '198.51.100.7', ver: 0 });
    expect(await takenToday()).toBe(before + 1);
  });

  it('logs in to the linked account, and registers nothing', async () => {
    const player = await createPlayer(service);
    const connectId = unique('person');
    await service.client.post('/api/bind_account', {
      account: player.account,
      connect_id: connectId,
    });
    const before = await takenToday();
    const { data } = (await bind({ ticket: ticketFor(connectId) })).body;
    expect(data).toMatchObject({ account: player.account, created: false, expires_in: 86_400 });
    expect(await bindingsOf(data.token)).toHaveLength(1);
    expect(await takenToday()).toBe(before);
  });

  it('goes by the identity to the letter', async () => {
    const connectId = unique('Person');
    const first = (await bind({ ticket: ticketFor(connectId) })).body.data;
    const other = (await bind({ ticket: ticketFor(connectId.toUpperCase()) })).body.data;
    expect(other).toMatchObject({ created: true });
    expect(other.account).not.toBe(first.account);
  });

  it('gives the account no password that could be guessed or checked', async () => {
    const { account } = (await bind({ ticket: ticketFor(unique('person')) })).body.data;
    const { password } = await players().findOneOrFail({
      select: { password: true },
      where: { account },
    });
    expect(password).not.toMatch(/[0-9a-f]/i);
    for (const guess of [password, 'undefined', 'null', '!', account]) {
      const login = await service.client.post(
        '/api/login',
        { account, password: guess },
        { from: '198.51.100.8' },
      );
      expect(login.body.error).toMatch(/^bad_credentials$|^login_throttled$/);
      const check = await service.client.post('/api/check', { account, token: guess });
      expect(check.body.error).toBe('token_invalid');
    }
  });

  it('never takes a name that exists', async () => {
    const taken = await createPlayer(service, { account: unique('FORUM') });
    const names = vi.spyOn(service.app.get(AutomaticRegistration), 'freshName');
    names.mockReturnValueOnce(taken.account.toLowerCase()).mockReturnValueOnce(taken.account);
    const { data } = (await bind({ ticket: ticketFor(unique('person')) })).body;
    expect(names).toHaveBeenCalledTimes(3);
    expect(data).toMatchObject({ created: true, account: names.mock.results[2]!.value });
    names.mockRestore();
  });

  it('never takes the name of another in the game', async () => {
    const { id } = await createPlayer(service);
    const gameAccount = unique('FORUM');
    await players().update({ id }, { gameAccount });
    const names = vi.spyOn(service.app.get(AutomaticRegistration), 'freshName');
    names.mockReturnValueOnce(gameAccount.toLowerCase());
    const { data } = (await bind({ ticket: ticketFor(unique('person')) })).body;
    expect(data).toMatchObject({ created: true, account: names.mock.results[1]!.value });
    names.mockRestore();
  });

  it('opens no disabled account, and keeps the ticket good', async () => {
    const connectId = unique('person');
    const { account } = (await bind({ ticket: ticketFor(connectId) })).body.data;
    await players().update({ account }, { disabledAt: new Date() });
    const ticket = ticketFor(connectId);
    expect((await bind({ ticket })).body.error).toBe('account_disabled');
    await players().update({ account }, { disabledAt: null });
    expect((await bind({ ticket })).body.data).toMatchObject({ account });
  });

  it('registers no more than an address may in a day, and still logs in from there', async () => {
    await service.changeSettings({ registration: { per_address_day: 2 } });
    const from = '198.51.100.44';
    const people = Array.from({ length: 6 }, () => unique('person'));
    const answers = await Promise.all(
      people.map((person) => bind({ ticket: ticketFor(person) }, { from })),
    );
    expect(outcomes(answers)).toEqual(['ok', 'ok', ...Array<string>(4).fill('too_many_requests')]);
    const known = people[answers.findIndex(({ status }) => status === 200)]!;
    const login = await bind({ ticket: ticketFor(known) }, { from });
    expect(login.body.data).toMatchObject({ created: false });
    const ticket = ticketFor(unique('person'));
    expect((await bind({ ticket }, { from })).body.error).toBe('too_many_requests');
    expect((await bind({ ticket }, { from: '198.51.100.45' })).status).toBe(200);
    await service.changeSettings({});
  });

  it('makes one account of many tabs that finish at once', async () => {
    const connectId = unique('person');
    const before = await takenToday();
    const answers = await answersInTime(
      Array.from({ length: 12 }, () => bind({ ticket: ticketFor(connectId) })),
    );
    expect(outcomes(answers)).toEqual(Array<string>(12).fill('ok'));
    const accounts = answers.map(({ body }) => body.data.account as string);
    expect(new Set(accounts).size).toBe(1);
    expect(answers.filter(({ body }) => body.data.created)).toHaveLength(1);
    expect(await takenToday()).toBe(before + 1);
    expect(await service.database.getRepository(PlayerLink).countBy({ connectId })).toBe(1);
  });
});

describe('the registration cap', () => {
  it('holds for accounts from the forum, to the last place, and leaves nothing of the refused', async () => {
    const known = unique('person');
    await bind({ ticket: ticketFor(known) });
    await service.changeSettings({ day_max_reg: (await takenToday()) + 1 });
    const before = await players().count();

    const last = unique('person');
    const tabs = await Promise.all([1, 2, 3, 4].map(() => bind({ ticket: ticketFor(last) })));
    expect(outcomes(tabs)).toEqual(Array<string>(4).fill('ok'));

    const ticket = ticketFor(unique('late'));
    const refused = await bind({ ticket });
    expect(refused.body.error).toBe('registration_cap_reached');
    expect(refused.body.retry_after).toBeGreaterThan(0);
    expect(await players().count()).toBe(before + 1);
    expect((await bind({ ticket: ticketFor(known) })).status).toBe(200);

    await service.changeSettings({});
    expect((await bind({ ticket })).body.data).toMatchObject({ created: true });
  });
});

describe('a ticket', () => {
  it.each<[string, () => unknown]>([
    ['missing', () => undefined],
    ['null', () => null],
    ['empty', () => ''],
    ['garbage', () => 'garbage'],
    ['forged', () => `${ticketFor('a').slice(0, -4)}AAAA`],
    ['of another content', () => withChangedContent(ticketFor('a'))],
    ['a JWT', async () => tokenOf(service, await createPlayer(service))],
    [
      'the state of a login',
      () => service.app.get(SignedValues).sign('state', 'x', { connectId: 'a' }),
    ],
  ])('that is %s is refused', async (_, make) => {
    const answer = await bind({ ticket: await make() });
    expect(answer.status).toBe(401);
    expect(answer.body.error).toBe('ticket_invalid');
  });

  it('of the wrong type is refused as such', async () => {
    for (const ticket of [7, {}, ['x'], 'x'.repeat(2049)])
      expect((await bind({ ticket })).body.error).toBe('invalid_request');
  });

  it('lives five minutes', async () => {
    const connectId = unique('person');
    const [early, late] = [ticketFor(connectId), ticketFor(connectId)];
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 295_000 });
    expect((await bind({ ticket: early })).status).toBe(200);
    vi.setSystemTime(now + 301_000);
    expect((await bind({ ticket: late })).body.error).toBe('ticket_invalid');
  });

  it.each<[string, () => Promise<object>]>([
    ['alone', () => Promise.resolve({})],
    ['alone, for a linked identity', () => Promise.resolve({})],
    [
      'with a password',
      async () => ({ account: (await createPlayer(service)).account, password: PASSWORD }),
    ],
  ])('serves once, also when stolen and used many times at once, %s', async (how, more) => {
    const connectId = unique('person');
    if (how.includes('linked')) await bind({ ticket: ticketFor(connectId) });
    const body = { ticket: ticketFor(connectId), ...(await more()) };
    const answers = await answersInTime(
      Array.from({ length: 16 }, () => bind(body)),
      neverMoreThan(1),
    );
    expect(outcomes(answers)).toEqual(['ok', ...Array<string>(15).fill('ticket_invalid')]);
    expect((await bind(body)).body.error).toBe('ticket_invalid');
  });

  it('is no JWT', async () => {
    const answer = await service.client.get('/api/bind', { token: ticketFor('a') });
    expect(answer.body.error).toBe('unauthorized');
  });

  it('is remembered as used until its time is well over', async () => {
    const used = service.database.getRepository(UsedOnce);
    const once = service.app.get(UsedTokenStore);
    const past = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await once.use('long ago', past(90));
    await once.use('a moment ago', past(1));
    const before = await used.count();
    await service.app.get(ExpiredRowCleaner).deleteAll();
    expect(await used.count()).toBe(before - 1);
    expect(await once.use('a moment ago', past(1))).toBe(false);
  });
});

describe('POST /api/forumauth/bind with account and password', () => {
  it('links that account, and counts nothing under the cap', async () => {
    const player = await createPlayer(service);
    const connectId = unique('person');
    const before = await takenToday();
    const { account } = player;
    const answer = await bind({
      ticket: ticketFor(connectId),
      account: account.toUpperCase(),
      password: PASSWORD,
    });
    expect(answer.body.data).toMatchObject({ account, created: false, expires_in: 86_400 });
    expect(await bindingsOf(answer.body.data.token)).toMatchObject([{ connect_id: connectId }]);
    expect(await takenToday()).toBe(before);
  });

  it('keeps the ticket good over a wrong password, and throttles as a login does', async () => {
    const { account } = await createPlayer(service);
    const connectId = unique('person');
    const ticket = ticketFor(connectId);
    const guess = (password: string, from: string) => bind({ ticket, account, password }, { from });
    const errors: string[] = [];
    for (let attempt = 0; attempt < 6; attempt++)
      errors.push((await guess('wrong', '198.51.100.20')).body.error);
    expect(errors).toEqual([...Array<string>(5).fill('bad_credentials'), 'login_throttled']);
    const locked = await guess(PASSWORD, '198.51.100.20');
    expect(locked.body.error).toBe('login_throttled');
    expect(locked.headers.get('retry-after')).not.toBeNull();
    const login = await service.client.post(
      '/api/login',
      { account, password: PASSWORD },
      { from: '198.51.100.20' },
    );
    expect(login.body.error).toBe('login_throttled');
    expect((await guess(PASSWORD, '198.51.100.21')).status).toBe(200);
  });

  it('tries no password for a ticket that is not good', async () => {
    const { account } = await createPlayer(service);
    const answer = await bind({ ticket: 'garbage', account, password: PASSWORD });
    expect(answer.body.error).toBe('ticket_invalid');
  });

  it('wants both or neither', async () => {
    const ticket = ticketFor(unique('person'));
    const half = await bind({ ticket, account: 'someone' });
    expect(half.body).toMatchObject({ error: 'invalid_request', details: [{ field: 'password' }] });
    const other = await bind({ ticket, password: 'something' });
    expect(other.body).toMatchObject({ error: 'invalid_request', details: [{ field: 'account' }] });
    expect((await bind({ ticket, account: null, password: null })).status).toBe(200);
  });

  it('refuses a disabled account', async () => {
    const { account } = await createPlayer(service, { disabledAt: new Date() });
    const answer = await bind({ ticket: ticketFor(unique('id')), account, password: PASSWORD });
    expect(answer.body.error).toBe('account_disabled');
  });
});

describe('POST /api/forumauth/bind with a JWT', () => {
  it('links to that account', async () => {
    const player = await createPlayer(service);
    const connectId = unique('person');
    const answer = await bind(
      { ticket: ticketFor(connectId) },
      { token: tokenOf(service, player) },
    );
    expect(answer.body.data).toMatchObject({ account: player.account, created: false });
    expect(await bindingsOf(answer.body.data.token)).toMatchObject([{ connect_id: connectId }]);
    // The token of an earlier release had no session; one without could not be ended.
    expect(decodeJwt(answer.body.data.token).sid).toEqual(expect.any(Number));
  });

  it('refuses one that was reset meanwhile, by JWT and by password, and links nothing', async () => {
    const { id, account } = await createPlayer(service);
    const reset = () => players().increment({ id }, 'ver', 1);
    const token = tokenOf(service, { id, account, ver: 0 });
    vi.spyOn(service.app.get(SessionsService), 'requireRecentSignIn').mockImplementationOnce(
      async () => void (await reset()),
    );
    const byToken = await bind({ ticket: ticketFor(unique('person')) }, { token });
    expect(byToken.body.error).toBe('unauthorized');
    const logins = service.app.get(LoginService);
    const authenticate = logins.authenticate.bind(logins);
    vi.spyOn(logins, 'authenticate').mockImplementationOnce(async (...credentials) => {
      const player = await authenticate(...credentials);
      await reset();
      return player;
    });
    const ticket = ticketFor(unique('person'));
    const byPassword = await bind({ ticket, account, password: PASSWORD });
    expect(byPassword.body.error).toBe('unauthorized');
    expect(await service.database.getRepository(PlayerLink).countBy({ playerId: id })).toBe(0);
    expect((await bind({ ticket, account, password: PASSWORD })).status).toBe(200);
  });

  it('refuses one that is not in force, and keeps the ticket good', async () => {
    const ticket = ticketFor(unique('person'));
    const player = await createPlayer(service, { ver: 1 });
    const before = await players().count();
    for (const authorization of [
      'Bearer garbage',
      'Bearer ',
      'Basic dXNlcjpwYXNz',
      `Bearer ${tokenOf(service, player, { ver: 0 })}`,
      `Bearer ${ticket}`,
    ]) {
      const answer = await bind({ ticket }, { headers: { Authorization: authorization } });
      expect(answer.status).toBe(401);
      expect(answer.body.error).toBe('unauthorized');
    }
    expect(await players().count()).toBe(before);
    expect((await bind({ ticket }, { token: tokenOf(service, player) })).body.data).toMatchObject({
      account: player.account,
    });
  });

  it('yields to account and password, which name the account to link', async () => {
    const [one, two] = [await createPlayer(service), await createPlayer(service)];
    const body = { ticket: ticketFor(unique('id')), account: two.account, password: PASSWORD };
    const answer = await bind(body, { token: tokenOf(service, one) });
    expect(answer.body.data).toMatchObject({ account: two.account });
  });
});

describe('a bind that meets another link', () => {
  it('ends as the callback of the game server does, and keeps the ticket good', async () => {
    const [one, two] = [await createPlayer(service), await createPlayer(service)];
    const [first, second] = [unique('person'), unique('person')];
    const link = (ticket: string, player: Player) =>
      bind({ ticket }, { token: tokenOf(service, player) });
    await service.client.post('/api/bind_account', { account: one.account, connect_id: first });

    const taken = ticketFor(first);
    expect((await link(taken, two)).body.error).toBe('connect_id_taken');
    expect((await link(taken, one)).status).toBe(200);
    const another = ticketFor(second);
    expect((await link(another, one)).body.error).toBe('account_linked');
    expect((await link(another, two)).status).toBe(200);
  });

  it('lets one account have an identity that many want at once, however they ask', async () => {
    const connectId = unique('person');
    const wanting = await Promise.all(Array.from({ length: 10 }, () => createPlayer(service)));
    const answers = await answersInTime(
      wanting.map((player, index) =>
        index % 2
          ? bind({ ticket: ticketFor(connectId) }, { token: tokenOf(service, player) })
          : service.client.post('/api/bind_account', {
              account: player.account,
              connect_id: connectId,
            }),
      ),
      neverMoreThan(1),
    );
    expect(outcomes(answers)).toEqual([...Array<string>(9).fill('connect_id_taken'), 'ok']);
  });
});

function withChangedContent(ticket: string): string {
  const [head, payload = '', signature] = ticket.split('.');
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = JSON.stringify({ ...content, connectId: 'b' });
  return [head, Buffer.from(changed).toString('base64url'), signature].join('.');
}
