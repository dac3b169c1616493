import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ForumTickets } from '../../src/features/forum-auth/forum-tickets.js';
import { LinksService } from '../../src/features/links/links.service.js';
import { SignedTokens } from '../../src/platform/auth/signed-tokens.js';
import { PASSWORD, unique } from '../support/accounts.js';
import type { TestApp } from '../support/api/app.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { forumBindRequests, startForumBindApp } from '../support/api/forum-bind.js';

let service: TestApp;

beforeAll(async () => {
  service = await startForumBindApp();
});
afterEach(() => vi.useRealTimers());
afterAll(() => service.stop());

const { ticketFor, bind, outcomes, players } = forumBindRequests(() => service);

describe('POST /api/forumauth/bind', () => {
  it.each<[string, () => unknown]>([
    ['missing', () => undefined],
    ['null', () => null],
    ['empty', () => ''],
    ['garbage', () => 'garbage'],
    ['forged', () => `${ticketFor('a').slice(0, -4)}AAAA`],
    ['altered', () => withChangedContent(ticketFor('a'))],
    ['a JWT', async () => tokenOf(service, await createPlayer(service))],
    [
      "a login's state",
      () => service.app.get(SignedTokens).sign('forum state', { connectId: 'a' }),
    ],
  ])('rejects a ticket that is %s', async (_, make) => {
    const answer = await bind({ ticket: await make() });
    expect(answer.status).toBe(401);
    expect(answer.body.error).toBe('ticket_invalid');
  });

  it('rejects a ticket of the wrong type', async () => {
    for (const ticket of [7, {}, ['x'], 'x'.repeat(2049)])
      expect((await bind({ ticket })).body.error).toBe('invalid_request');
  });

  it('accepts a ticket for five minutes', async () => {
    const connectId = unique('person');
    const [early, late] = [ticketFor(connectId), ticketFor(connectId)];
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 295_000 });
    expect((await bind({ ticket: early })).status).toBe(200);
    vi.setSystemTime(now + 301_000);
    expect((await bind({ ticket: late })).body.error).toBe('ticket_invalid');
  });

  it('issues tickets that are not JWTs', async () => {
    const answer = await service.client.get('/api/bind', { token: ticketFor('a') });
    expect(answer.body.error).toBe('unauthorized');
  });

  it('keeps the name that the person had on the forum at the last sign-in', async () => {
    const connectId = unique('person');
    const ticket = service.app.get(ForumTickets).issue(connectId, undefined, 'Aria');
    const { token } = (await bind({ ticket })).body.data;
    const nameOf = async () =>
      (await service.client.get('/api/bind', { token })).body.data.bindings[0].name;
    expect(await nameOf()).toBe('Aria');
    const links = service.app.get(LinksService);
    const identity = { provider: 'forum', connectId };
    expect(await links.recognise({ ...identity, name: 'Bella' })).toBe(true);
    // If the forum sends no name, the stored one is kept.
    expect(await links.recognise(identity)).toBe(true);
    expect(await nameOf()).toBe('Bella');
    expect(await links.recognise({ ...identity, connectId: unique('person') })).toBe(false);
  });

  it('registers an account without a usable password', async () => {
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

  it('rejects a disabled account and keeps the ticket valid', async () => {
    const connectId = unique('person');
    const { account } = (await bind({ ticket: ticketFor(connectId) })).body.data;
    await players().update({ account }, { disabledAt: new Date() });
    const ticket = ticketFor(connectId);
    expect((await bind({ ticket })).body.error).toBe('account_disabled');
    await players().update({ account }, { disabledAt: null });
    expect((await bind({ ticket })).body.data).toMatchObject({ account });
  });

  it('enforces registration.per_address_day for new accounts only', async () => {
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

  it('keeps the ticket valid after a wrong password and throttles like a login', async () => {
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

  it('checks the ticket before the password', async () => {
    const { account } = await createPlayer(service);
    const answer = await bind({ ticket: 'garbage', account, password: PASSWORD });
    expect(answer.body.error).toBe('ticket_invalid');
  });

  it('requires both account and password or neither', async () => {
    const ticket = ticketFor(unique('person'));
    const half = await bind({ ticket, account: 'someone' });
    expect(half.body).toMatchObject({ error: 'invalid_request', details: [{ field: 'password' }] });
    const other = await bind({ ticket, password: 'something' });
    expect(other.body).toMatchObject({ error: 'invalid_request', details: [{ field: 'account' }] });
    expect((await bind({ ticket, account: null, password: null })).status).toBe(200);
  });

  it('rejects a disabled account with the correct password', async () => {
    const { account } = await createPlayer(service, { disabledAt: new Date() });
    const answer = await bind({ ticket: ticketFor(unique('id')), account, password: PASSWORD });
    expect(answer.body.error).toBe('account_disabled');
  });

  it('rejects an invalid JWT and keeps the ticket valid', async () => {
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

  it('prefers account and password to a JWT', async () => {
    const [one, two] = [await createPlayer(service), await createPlayer(service)];
    const body = { ticket: ticketFor(unique('id')), account: two.account, password: PASSWORD };
    const answer = await bind(body, { token: tokenOf(service, one) });
    expect(answer.body.data).toMatchObject({ account: two.account });
  });
});

function withChangedContent(ticket: string): string {
  const [head, payload = '', signature] = ticket.split('.');
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = JSON.stringify({ ...content, connectId: 'b' });
  return [head, Buffer.from(changed).toString('base64url'), signature].join('.');
}
