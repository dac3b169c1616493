import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LoginService } from '../../../src/features/accounts/login.service.js';
import { RegistrationDay } from '../../../src/features/accounts/registration-limits.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { AutomaticRegistration } from '../../../src/features/forum-auth/automatic-registration.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { SingleUseService, UsedOnce } from '../../../src/features/links/single-use.service.js';
import { PlayerLink } from '../../../src/features/links/player-link.entity.js';
import { IdentityService } from '../../../src/platform/auth/identity.service.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import { forumBindRequests, startForumBindApp } from '../../support/api/forum-bind.js';

let service: TestApp;

beforeAll(async () => {
  service = await startForumBindApp();
});
afterAll(() => service.stop());

const { ticketFor, bind, outcomes, players } = forumBindRequests(() => service);
const bindingsOf = async (token: string) =>
  (await service.client.get('/api/bind', { token })).body.data.bindings;
const takenToday = async () =>
  (await service.database.getRepository(RegistrationDay).find()).reduce(
    (sum, { taken }) => sum + taken,
    0,
  );

describe('POST /api/forumauth/bind', () => {
  it('registers a linked account and signs it in', async () => {
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

  it('signs in to the linked account', async () => {
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

  it('treats identities as case-sensitive', async () => {
    const connectId = unique('Person');
    const first = (await bind({ ticket: ticketFor(connectId) })).body.data;
    const other = (await bind({ ticket: ticketFor(connectId.toUpperCase()) })).body.data;
    expect(other).toMatchObject({ created: true });
    expect(other.account).not.toBe(first.account);
  });

  it('skips a generated name that is taken, regardless of case', async () => {
    const taken = await createPlayer(service, { account: unique('FORUM') });
    const names = vi.spyOn(service.app.get(AutomaticRegistration), 'freshName');
    names.mockReturnValueOnce(taken.account.toLowerCase()).mockReturnValueOnce(taken.account);
    const { data } = (await bind({ ticket: ticketFor(unique('person')) })).body;
    expect(names).toHaveBeenCalledTimes(3);
    expect(data).toMatchObject({ created: true, account: names.mock.results[2]!.value });
    names.mockRestore();
  });

  it("skips a generated name that is another player's name in the game", async () => {
    const { id } = await createPlayer(service);
    const gameAccount = unique('FORUM');
    await players().update({ id }, { gameAccount });
    const names = vi.spyOn(service.app.get(AutomaticRegistration), 'freshName');
    names.mockReturnValueOnce(gameAccount.toLowerCase());
    const { data } = (await bind({ ticket: ticketFor(unique('person')) })).body;
    expect(data).toMatchObject({ created: true, account: names.mock.results[1]!.value });
    names.mockRestore();
  });

  it('creates one account for parallel logins with one identity', async () => {
    const connectId = unique('person');
    const before = await takenToday();
    const answers = await inParallel(() => bind({ ticket: ticketFor(connectId) }));
    expect(outcomes(answers)).toEqual(Array<string>(8).fill('ok'));
    expect(new Set(answers.map(({ body }) => body.data.account as string)).size).toBe(1);
    expect(answers.filter(({ body }) => body.data.created)).toHaveLength(1);
    expect(await takenToday()).toBe(before + 1);
    expect(await service.database.getRepository(PlayerLink).countBy({ connectId })).toBe(1);
  });

  it('enforces day_max_reg and leaves no trace of a rejected registration', async () => {
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

  it.each<[string, () => Promise<object>]>([
    ['without an account', () => Promise.resolve({})],
    ['for a linked identity', () => Promise.resolve({})],
    [
      'with account and password',
      async () => ({ account: (await createPlayer(service)).account, password: PASSWORD }),
    ],
  ])('accepts a ticket once in parallel requests %s', async (how, more) => {
    const connectId = unique('person');
    if (how.includes('linked')) await bind({ ticket: ticketFor(connectId) });
    const body = { ticket: ticketFor(connectId), ...(await more()) };
    const answers = await inParallel(() => bind(body));
    expect(outcomes(answers)).toEqual(['ok', ...Array<string>(7).fill('ticket_invalid')]);
    expect((await bind(body)).body.error).toBe('ticket_invalid');
  });

  it('remembers a used ticket until well after its expiry', async () => {
    const used = service.database.getRepository(UsedOnce);
    const once = service.app.get(SingleUseService);
    const past = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await once.use('long ago', past(90));
    await once.use('a moment ago', past(1));
    const before = await used.count();
    await service.app.get(ExpiredRowCleaner).deleteAll();
    expect(await used.count()).toBe(before - 1);
    expect(await once.use('a moment ago', past(1))).toBe(false);
  });

  it('links the account given by name and password, regardless of the registration cap', async () => {
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

  it('links the account of the JWT', async () => {
    const player = await createPlayer(service);
    const connectId = unique('person');
    const answer = await bind(
      { ticket: ticketFor(connectId) },
      { token: tokenOf(service, player) },
    );
    expect(answer.body.data).toMatchObject({ account: player.account, created: false });
    expect(await bindingsOf(answer.body.data.token)).toMatchObject([{ connect_id: connectId }]);
    // A token without a session could not be revoked.
    expect(decodeJwt(answer.body.data.token).sid).toEqual(expect.any(Number));
  });

  it("links nothing if the account's password is reset during the request", async () => {
    const { id, account } = await createPlayer(service);
    const reset = () => players().increment({ id }, 'ver', 1);
    const token = tokenOf(service, { id, account, ver: 0 });
    const identities = service.app.get(IdentityService);
    const identify = identities.identify.bind(identities);
    vi.spyOn(identities, 'identify').mockImplementationOnce(async (...claims) => {
      const identity = await identify(...claims);
      await reset();
      return identity;
    });
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

  it('reports an identity or account that is already linked and keeps the ticket valid', async () => {
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

  it('links an identity to only one account in parallel requests to both routes', async () => {
    const connect_id = unique('person');
    const wanting = await inParallel(() => createPlayer(service));
    const answers = await inParallel((index) => {
      const player = wanting[index]!;
      return index % 2
        ? bind({ ticket: ticketFor(connect_id) }, { token: tokenOf(service, player) })
        : service.client.post('/api/bind_account', { account: player.account, connect_id });
    });
    expect(outcomes(answers)).toEqual([...Array<string>(7).fill('connect_id_taken'), 'ok']);
  });
});
