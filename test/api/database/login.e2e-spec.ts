import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LoginAddress } from '../../../src/features/accounts/login-addresses.service.js';
import { Passwords } from '../../../src/features/accounts/passwords.js';
import { SharedCounter } from '../../../src/platform/counters/counters.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer, passwordHash } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { statementsOfRequests } from '../../support/api/request-statements.js';
import { inParallel } from '../../support/api/parallel.js';
import { loginRequests } from '../../support/api/login.js';

const LIMITS = {
  account_and_address: { failures: 3, window: 300, lock: 60, max_lock: 200 },
  address: { failures: 8, window: 600, lock: 600 },
  account: { failures: 6, window: 3600, lock: 900 },
};
let service: TestApp;

beforeAll(async () => {
  service = await startApp({
    settings: { login_throttle: LIMITS, rate_limit: { per_minute: 100_000 } },
  });
});
afterAll(() => service.stop());

const { newAddress, login, fail } = loginRequests(() => service);

describe('POST /api/login', () => {
  it('returns a token for 24 hours and the last chosen server', async () => {
    const player = await createPlayer(service, { serverId: 7 });
    const answer = await login(player.account, PASSWORD, newAddress());
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      account: player.account,
      token: expect.stringMatching(/^eyJ/),
      expires_in: 86_400,
      server_id: 7,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const fresh = await login((await createPlayer(service)).account, PASSWORD, newAddress());
    expect(fresh.body.data.server_id).toBeNull();
  });

  it('finds an account regardless of case, but not by a name that is equal only under the collation', async () => {
    const { account } = await createPlayer(service, { account: unique('Victim') });
    const inCapitals = await login(account.toUpperCase(), PASSWORD, newAddress());
    expect(inCapitals.body.data.account).toBe(account);
    for (const other of [` ${account}`, account.replace('i', 'í')])
      expect((await login(other, PASSWORD, newAddress())).body.error).toBe('bad_credentials');
  });

  it('accepts names and password hashes of the previous generation', async () => {
    const account = `老玩家-${unique('x')}.@`;
    await createPlayer(service, { account, password: passwordHash(service, '密码😀') });
    expect((await login(account, '密码😀', newAddress())).status).toBe(200);
  });

  it('runs the same steps for an unknown account as for a wrong password, even while they are locked', async () => {
    const { account } = await createPlayer(service);
    // Login events are written in the background and would add statements at random.
    const events = service.app.get(LoginEventLog);
    await events.flush();
    const flush = vi.spyOn(events, 'flush').mockResolvedValue();
    const compare = vi.spyOn(service.app.get(Passwords), 'matches');
    const count = vi.spyOn(SharedCounter.prototype, 'add');
    const stepsOf = async (name: string, from = newAddress(), error = 'bad_credentials') => {
      for (const spy of [compare, count]) spy.mockClear();
      const statements = await statementsOfRequests(service, async () =>
        expect((await login(name, 'wrong', from)).body.error).toBe(error),
      );
      return {
        statements,
        comparisons: compare.mock.calls.length,
        counts: count.mock.calls.map(([, points, window]) => ({ points, window })),
      };
    };
    const steps = await stepsOf(account);
    expect(steps).toMatchObject({ comparisons: 1, counts: { length: 4 } });
    expect(await stepsOf(unique('nobody'))).toEqual(steps);
    const guarded = await createPlayer(service, { hasSecondFactor: true });
    expect(await stepsOf(guarded.account)).toEqual(steps);
    for (const name of [account, unique('nobody')]) {
      const from = newAddress();
      await fail(name, 3, () => from);
      const { statements, comparisons } = await stepsOf(name, from, 'login_throttled');
      expect({ statements, comparisons }).toEqual({ statements: steps.statements, comparisons: 1 });
    }
    for (const spy of [flush, compare, count]) spy.mockRestore();
  });

  it('locks an account after failures from many addresses, except for a known address', async () => {
    const { account } = await createPlayer(service);
    const home = newAddress();
    expect((await login(account, PASSWORD, home)).status).toBe(200);
    expect((await fail(account, 7, newAddress)).at(-1)).toBe('login_throttled');
    expect((await login(account, PASSWORD, newAddress())).body.error).toBe('login_throttled');
    expect((await login(account, PASSWORD, home)).status).toBe(200);
  });

  it('recognises an address for 30 days after the last login, even if that login was not stored', async () => {
    const player = await createPlayer(service);
    const home = newAddress();
    await login(player.account, PASSWORD, home);
    await withClockAhead(0.9 * 86_400, async () => {
      expect((await login(player.account, PASSWORD, home)).status).toBe(200);
    });
    await withClockAhead(30.5 * 86_400, async () => {
      await fail(player.account, 6, newAddress);
      expect((await login(player.account, PASSWORD, newAddress())).status).toBe(429);
      expect((await login(player.account, PASSWORD, home)).status).toBe(200);
    });
  });

  it('forgets an address whose last stored login was more than 31 days ago', async () => {
    const player = await createPlayer(service);
    const home = newAddress();
    await login(player.account, PASSWORD, home);
    await service.database
      .getRepository(LoginAddress)
      .update({ playerId: player.id }, { seenAt: new Date(Date.now() - 31.1 * 86_400_000) });
    await fail(player.account, 6, newAddress);
    expect((await login(player.account, PASSWORD, home)).body.error).toBe('login_throttled');
  });

  it('accepts parallel logins of several accounts from one address', async () => {
    const here = newAddress();
    const players = await inParallel(() => createPlayer(service));
    const answers = await inParallel((index) => login(players[index]!.account, PASSWORD, here));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it("stores a player's address once a day, even for parallel logins", async () => {
    const { id, account } = await createPlayer(service);
    const here = newAddress();
    const addresses = service.database.getRepository(LoginAddress);
    await inParallel(() => login(account, PASSWORD, here));
    const [first, ...others] = await addresses.findBy({ playerId: id });
    expect(others).toEqual([]);
    expect(first?.address).toBe(here);
    await login(account, PASSWORD, here);
    expect(await addresses.findBy({ playerId: id })).toEqual([first]);
    await withClockAhead(90_000, () => login(account, PASSWORD, here));
    const [renewed] = await addresses.findBy({ playerId: id });
    expect(renewed!.seenAt.getTime()).toBeGreaterThan(first!.seenAt.getTime());
  });
});
