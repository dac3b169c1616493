import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { addAuthenticator, secondStep, ticketFor } from '../../support/api/authenticator.js';
import { cookieOf } from '../../support/api/browser-session.js';
import { banPlayer, createPlayer } from '../../support/api/factories.js';
import { allAtOnce, inParallel, times } from '../../support/api/parallel.js';
import { passkeyRequests } from '../../support/api/passkeys.js';
import { statementsOfRequests } from '../../support/api/request-statements.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import type { Forgery } from '../../support/api/software-authenticator.js';
import { until } from '../../support/until.js';

const MOST_PASSKEYS = 10;
const FORGERIES: Array<[string, Forgery]> = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another port of the site', { origin: 'http://localhost:9' }],
  ['another rpID', { rpId: 'evil.example' }],
  ['a challenge of its own', { challenge: 'AAAA' }],
  ['no user verification', { isVerified: false }],
  ['another type', { type: 'payment.get' }],
];
let service: TestApp;

beforeAll(async () => {
  service = await startApp({
    settings: {
      rate_limit: { per_minute: 100_000 },
      login_throttle: { address: { failures: 100_000 } },
    },
  });
});
afterAll(() => service.stop());
const { post, options, newDevice, register, addDevice, signIn } = passkeyRequests(() => service);
const account = async (token: string) => {
  const answer = await service.client.get('/api/account', { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const remove = (token: string, id: number | string) =>
  service.client.send('DELETE', `/api/account/passkeys/${id}`, { token });

async function newPlayer() {
  const player = await createPlayer(service);
  const answer = await post('login', { account: player.account, password: PASSWORD });
  return { player, token: answer.body.data.token as string };
}

async function withPasskey() {
  const { player, token } = await newPlayer();
  return { player, token, device: await addDevice(token) };
}

describe('Adding a passkey', () => {
  it('lists the passkey by name and issues recovery codes with the first passkey', async () => {
    const { token } = await newPlayer();
    const first = await register(token, newDevice());
    expect(first.body.data).toEqual({
      passkey: {
        id: expect.any(Number),
        name: 'phone',
        created_at: expect.any(String),
        used_at: null,
      },
      recovery_codes: expect.any(Array),
    });
    expect(first.body.data.recovery_codes).toHaveLength(10);
    // The session that was open before has not used a second factor.
    const again = await post('account/passkeys/options', {}, token);
    expect(again.body.error).toBe('sign_in_again');
    expect((await account(token)).two_factor).toEqual({
      totp: false,
      passkeys: [first.body.data.passkey],
      recovery_codes_left: 10,
    });
  });

  it('needs no code for ten minutes in the session that has just set up the app', async () => {
    const { player, token } = await newPlayer();
    const login = { account: player.account, password: PASSWORD };
    const other = (await post('login', login)).body.data.token as string;
    await addAuthenticator(service.client, token);
    const device = newDevice();
    const response = device.create(await options('account/passkeys', {}, token));
    const refused = async (path: string, from: string, body = {}) =>
      expect((await post(path, body, from)).body.error, path).toBe('sign_in_again');
    await refused('account/passkeys/options', other);
    await refused('account/passkeys', other, { name: 'phone', response });
    await refused('account/recovery_codes', token);
    await withClockAhead(11 * 60, () => refused('account/passkeys/options', token));
    const added = await post('account/passkeys', { name: 'phone', response }, token);
    expect([added.status, added.body.data.recovery_codes]).toEqual([200, []]);
    expect((await remove(token, added.body.data.passkey.id)).body.error).toBe('sign_in_again');
  });

  it.each(FORGERIES)('rejects a registration with %s', async (_, forgery) => {
    const { token } = await newPlayer();
    const answer = await register(token, newDevice(), forgery);
    expect([answer.status, answer.body.code]).toEqual([400, 40000]);
    expect((await account(token)).two_factor.passkeys).toEqual([]);
  });

  it('rejects a repeated registration and a credential that is already registered', async () => {
    const { token, player } = await newPlayer();
    const device = newDevice();
    const response = device.create(await options('account/passkeys', {}, token));
    expect((await post('account/passkeys', { name: 'a', response }, token)).status).toBe(200);
    const { token: fresh } = (await signIn(device)).body.data;
    const repeated = await post('account/passkeys', { name: 'b', response }, fresh);
    expect(repeated.body.code).toBe(40000);
    expect((await register(fresh, device)).body.code).toBe(40000);
    const { token: stranger } = await newPlayer();
    expect((await register(stranger, device)).body.code).toBe(40000);
    expect((await account(fresh)).two_factor.passkeys).toHaveLength(1);
    expect(player.id).toBeGreaterThan(0);
  });

  it("rejects another account's challenge", async () => {
    const [{ token }, { token: other }] = [await newPlayer(), await newPlayer()];
    const response = newDevice().create(await options('account/passkeys', {}, other));
    const answer = await post('account/passkeys', { name: 'a', response }, token);
    expect(answer.body.code).toBe(40000);
  });

  it('allows at most ten passkeys, even for parallel requests', async () => {
    const { device } = await withPasskey();
    const { token } = (await signIn(device)).body.data;
    const requests = MOST_PASSKEYS + 4;
    const responses: object[] = [];
    // Twice as many challenges are needed because a request that got a 503 has used up its challenge.
    for (let i = 0; i < 2 * requests; i++)
      responses.push(newDevice().create(await options('account/passkeys', {}, token)));
    const add = () => post('account/passkeys', { name: 'a', response: responses.pop() }, token);
    const answers = await allAtOnce(times(requests, () => add));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MOST_PASSKEYS - 1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 40000));
    expect((await account(token)).two_factor.passkeys).toHaveLength(MOST_PASSKEYS);
  });

  it.each<object>([
    { name: '', response: {} },
    { name: 'x'.repeat(33), response: {} },
    { name: 'a' },
    { name: 'a', response: [] },
    { name: 'a', response: { id: {}, response: { clientDataJSON: 7 } } },
    { name: 'a', response: { constructor: 1, response: { clientDataJSON: 'bnVsbA' } } },
  ])('returns invalid_request for %j', async (body) => {
    const { token } = await newPlayer();
    expect((await post('account/passkeys', body, token)).body.code).toBe(40000);
  });

  it('rejects a multi-line name because the e-mail to the owner contains the name', async () => {
    const { token } = await newPlayer();
    const name = 'phone\n\nhttp://evil.example';
    const { body } = await post('account/passkeys', { name, response: {} }, token);
    expect(body.details).toEqual([{ field: 'name', message: 'must be one line' }]);
  });
});

describe('POST /api/login/passkey', () => {
  it('signs in with only the passkey, which counts as both steps', async () => {
    const { player, device } = await withPasskey();
    const answer = await signIn(device);
    expect(answer.body.data).toMatchObject({ account: player.account, expires_in: 86400 });
    const { token } = answer.body.data;
    expect((await account(token)).two_factor.passkeys[0].used_at).not.toBeNull();
    expect((await post('account/recovery_codes', {}, token)).status).toBe(200);
    await until(async () => {
      const rows = await service.database.query(
        `SELECT way FROM login_event WHERE player_id = ${player.id} AND outcome = 'ok' ORDER BY id`,
      );
      return rows.at(-1)?.way === 'passkey';
    });
  });

  it('stores nothing for a caller who only requests a challenge', async () => {
    const statements = await statementsOfRequests(service, () => options('login/passkey'));
    expect(statements).toEqual([]);
  });

  it('sets the session cookie if remember is true', async () => {
    const { device } = await withPasskey();
    const response = device.get(await options('login/passkey'));
    const answer = await post('login/passkey', { response, remember: true });
    expect(cookieOf(answer)).toMatch(/^\d+\.\d+\.[\w-]{43}\.[\w-]{43}$/);
    expect(cookieOf(await signIn(device))).toBeUndefined();
  });

  it.each(FORGERIES)('rejects an assertion with %s', async (_, forgery) => {
    const { device } = await withPasskey();
    const answer = await signIn(device, forgery);
    expect([answer.status, answer.body.code]).toEqual([401, 40107]);
    expect((await signIn(device)).status).toBe(200);
  });

  it('rejects a signature count that does not grow, as sent by a copied device', async () => {
    const { device } = await withPasskey();
    expect((await signIn(device, { counter: 9 })).status).toBe(200);
    for (const counter of [0, 8, 9])
      expect((await signIn(device, { counter })).body.code, String(counter)).toBe(40107);
    expect((await signIn(device, { counter: 10 })).status).toBe(200);
  });

  it('accepts devices that keep no signature count', async () => {
    const { device } = await withPasskey();
    expect((await signIn(device, { counter: 0 })).status).toBe(200);
    expect((await signIn(device, { counter: 0 })).status).toBe(200);
  });

  it("rejects another device's key under the same id", async () => {
    const { device } = await withPasskey();
    const copy = Object.assign(newDevice(), { id: device.id });
    expect((await signIn(copy)).body.code).toBe(40107);
    expect((await signIn(newDevice())).body.code).toBe(40107);
  });

  it('accepts an assertion once, even in parallel requests', async () => {
    const { device } = await withPasskey();
    const response = device.get(await options('login/passkey'), { counter: 0 });
    // Four failures are not enough to lock the account at this address.
    const answers = await inParallel(() => post('login/passkey', { response }), 4);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('accepts one of many assertions with the same signature count', async () => {
    const { device } = await withPasskey();
    const all = await Promise.all(times(4, () => options('login/passkey')));
    const responses = all.map((given) => device.get(given, { counter: 5 }));
    const answers = await allAtOnce(
      responses.map((response) => () => post('login/passkey', { response })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('rejects a challenge that is older than five minutes or was issued for another purpose', async () => {
    const { player, device, token } = await withPasskey();
    const given = await options('login/passkey');
    const late = await withClockAhead(301, () =>
      post('login/passkey', { response: device.get(given) }),
    );
    expect(late.body.code).toBe(40107);
    const ticket = await ticketFor(service.client, player.account);
    const others = [
      await options('session/confirm', {}, token),
      await options('login/second', { ticket }),
    ];
    for (const other of others)
      expect((await post('login/passkey', { response: device.get(other) })).body.code).toBe(40107);
  });

  it('reveals a ban or a disabled account only to the right key', async () => {
    for (const stop of [
      (id: number) => banPlayer(service, { id }),
      (id: number) =>
        service.database.query(`UPDATE player SET disabled_at = '2026-01-01' WHERE id = ${id}`),
    ]) {
      const { player, device } = await withPasskey();
      await stop(player.id);
      expect((await signIn(device)).body.error).toBe('account_disabled');
      expect((await signIn(device, { isVerified: false })).body.code).toBe(40107);
    }
  });

  it('counts failures like wrong passwords, for this address only', async () => {
    const { device } = await withPasskey();
    const from = '198.51.100.7';
    for (let i = 0; i < 5; i++)
      expect((await signIn(device, { isVerified: false }, { from })).body.code).toBe(40107);
    const locked = await signIn(device, {}, { from });
    expect(locked.body.error).toBe('login_throttled');
    expect(locked.body.retry_after).toBeGreaterThan(30);
    expect(locked.body.retry_after).toBeLessThanOrEqual(60);
    expect((await signIn(device, {}, { from: '198.51.100.8' })).status).toBe(200);
  });

  it.each<object>([
    {},
    { response: 'x' },
    { response: { id: 'é'.repeat(20) } },
    { response: { id: { $ne: '' }, response: { clientDataJSON: 'e30' } } },
    { response: { id: 'a'.repeat(5000), response: null } },
    { response: { id: { toString: null } } },
  ])('returns 400 or 401 for %j', async (body) => {
    expect([400, 401]).toContain((await post('login/passkey', body)).status);
  });
});

describe('The second step by passkey', () => {
  it('signs in with the ticket from the password step', async () => {
    const { player, device } = await withPasskey();
    const ticket = await ticketFor(service.client, player.account);
    const given = await options('login/second', { ticket });
    expect(given.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([device.id]);
    const answer = await secondStep(service.client, ticket, { response: device.get(given) });
    expect(answer.body.data).toMatchObject({ account: player.account });
  });

  it.each(FORGERIES)('rejects an assertion with %s', async (_, forgery) => {
    const { player, device } = await withPasskey();
    const ticket = await ticketFor(service.client, player.account);
    const response = device.get(await options('login/second', { ticket }), forgery);
    expect((await secondStep(service.client, ticket, { response })).body.code).toBe(40107);
  });

  it("rejects another account's passkey and a challenge issued for a sign-in", async () => {
    const [own, other] = [await withPasskey(), await withPasskey()];
    const ticket = await ticketFor(service.client, own.player.account);
    const given = await options('login/second', { ticket });
    const foreign = await secondStep(service.client, ticket, { response: other.device.get(given) });
    expect(foreign.body.code).toBe(40107);
    const response = own.device.get(await options('login/passkey'));
    expect((await secondStep(service.client, ticket, { response })).body.code).toBe(40107);
  });

  it('returns options only for a valid ticket', async () => {
    const answer = await post('login/second/options', { ticket: 'forged' });
    expect(answer.body.code).toBe(40107);
  });
});

describe('POST /api/session/confirm with a passkey', () => {
  it('counts as recent authentication, and accepts each response once', async () => {
    const { token, device } = await withPasskey();
    expect((await post('account/recovery_codes', {}, token)).body.error).toBe('sign_in_again');
    const response = device.get(await options('session/confirm', {}, token));
    const confirmed = await post('session/confirm', { response }, token);
    expect(confirmed.body.data).toEqual({ confirmed_until: expect.any(String) });
    expect((await post('account/recovery_codes', {}, token)).status).toBe(200);
    expect((await post('session/confirm', { response }, token)).body.code).toBe(40107);
  });

  it("rejects another player's passkey", async () => {
    const [own, other] = [await withPasskey(), await withPasskey()];
    const response = other.device.get(await options('session/confirm', {}, own.token));
    expect((await post('session/confirm', { response }, own.token)).body.code).toBe(40107);
  });
});

describe('Removing a passkey', () => {
  it('makes the passkey unusable, and disables the second step if it was the last factor', async () => {
    const { player, device } = await withPasskey();
    const { token } = (await signIn(device)).body.data;
    const [{ id }] = (await account(token)).two_factor.passkeys;
    expect((await remove(token, id)).body.data).toEqual({});
    expect((await account(token)).two_factor).toEqual({
      totp: false,
      passkeys: [],
      recovery_codes_left: 0,
    });
    expect((await signIn(device)).body.code).toBe(40107);
    const plain = await post('login', { account: player.account, password: PASSWORD });
    expect(plain.status).toBe(200);
  });

  it('requires recent use of a second factor and affects no other account', async () => {
    const { device, token: before } = await withPasskey();
    const { token } = (await signIn(device)).body.data;
    const [{ id }] = (await account(token)).two_factor.passkeys;
    expect((await remove(before, id)).body.error).toBe('sign_in_again');
    const stranger = await newPlayer();
    expect((await remove(stranger.token, id)).status).toBe(200);
    expect((await remove(stranger.token, '1 OR 1=1')).status).toBe(200);
    expect((await account(token)).two_factor.passkeys).toHaveLength(1);
  });
});
