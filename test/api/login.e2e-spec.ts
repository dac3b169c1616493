import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LoginAddress } from '../../src/features/accounts/login-address.entity.js';
import { Passwords } from '../../src/features/accounts/passwords.js';
import { Environment } from '../../src/platform/config/environment.js';
import { SharedCounter } from '../../src/platform/counters/shared-counter.js';
import { LoginEventLog } from '../../src/platform/audit/login-event-log.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer, PASSWORD, unique } from '../support/api/factories.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { statementsOfRequests } from '../support/api/request-statements.js';
import { answersInTime } from '../support/run/slow-machine.js';

// Small numbers, so that a limit is reached with a few requests.
const LIMITS = {
  account_and_address: { failures: 3, window: 300, lock: 60, max_lock: 200 },
  address: { failures: 8, window: 600, lock: 600 },
  account: { failures: 6, window: 3600, lock: 900 },
};
let service: TestApp;
let lastAddress = 0;

beforeAll(async () => {
  service = await startApp({
    settings: { login_throttle: LIMITS, rate_limit: { per_minute: 100_000 } },
  });
});
afterAll(() => service.stop());

/** An address that no other test comes from. */
function newAddress(): string {
  lastAddress++;
  return `198.18.${lastAddress >> 8}.${lastAddress & 255}`;
}

function login(account: string, password: string, from: string) {
  return service.client.post('/api/login', { account, password }, { from });
}

async function fail(account: string, times: number, from: () => string): Promise<string[]> {
  const errors: string[] = [];
  for (let time = 0; time < times; time++)
    errors.push((await login(account, 'wrong', from())).body.error);
  return errors;
}

describe('POST /api/login', () => {
  it('gives a token for 24 hours and the server chosen last', async () => {
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

  it('knows an account in any case, and nothing else that the database takes for it', async () => {
    const { account } = await createPlayer(service, { account: unique('Victim') });
    const inCapitals = await login(account.toUpperCase(), PASSWORD, newAddress());
    expect(inCapitals.body.data.account).toBe(account);
    for (const other of [` ${account}`, account.replace('i', 'í')])
      expect((await login(other, PASSWORD, newAddress())).body.error).toBe('bad_credentials');
  });

  it('takes names and hashes of the previous generation', async () => {
    const account = `老玩家-${unique('x')}.@`;
    const { PASSWORD_KEY } = service.app.get(Environment);
    const password = createHash('md5').update(`密码😀${PASSWORD_KEY}`, 'utf8').digest('hex');
    await createPlayer(service, { account, password });
    expect((await login(account, '密码😀', newAddress())).status).toBe(200);
  });

  it.each(['', '!', '0'.repeat(32), 'f'.repeat(64)])(
    'lets nobody into an account whose stored hash is "%s"',
    async (password) => {
      const { account } = await createPlayer(service, { password });
      for (const guess of ['undefined', 'null', password || 'x', PASSWORD])
        expect((await login(account, guess, newAddress())).body.error).toBe('bad_credentials');
    },
  );

  it('tells a disabled account so only to one who knows the password', async () => {
    const { account } = await createPlayer(service, { disabledAt: new Date() });
    expect((await login(account, PASSWORD, newAddress())).body.error).toBe('account_disabled');
    expect((await login(account, 'wrong', newAddress())).body.error).toBe('bad_credentials');
  });

  it('answers an unknown account and a wrong password alike, by the same steps and so in the same time', async () => {
    const { account } = await createPlayer(service);
    // It writes once in a while, whoever logs in at the time.
    const events = service.app.get(LoginEventLog);
    await events.flush();
    const flush = vi.spyOn(events['writer'], 'flush').mockResolvedValue();
    const compare = vi.spyOn(service.app.get(Passwords), 'matches');
    const count = vi.spyOn(SharedCounter.prototype, 'add');
    const stepsOf = async (name: string) => {
      for (const spy of [compare, count]) spy.mockClear();
      const statements = await statementsOfRequests(service, async () =>
        expect((await login(name, 'wrong', newAddress())).body.error).toBe('bad_credentials'),
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
    for (const spy of [flush, compare, count]) spy.mockRestore();
  });
});

describe('failed logins', () => {
  it('lock the account for the address, also for the right password, and for no other address', async () => {
    const { account } = await createPlayer(service);
    const [here, elsewhere] = [newAddress(), newAddress()];
    expect(await fail(account, 4, () => here)).toEqual([
      ...Array<string>(3).fill('bad_credentials'),
      'login_throttled',
    ]);
    const locked = await login(account, PASSWORD, here);
    expect(locked.body.error).toBe('login_throttled');
    expect(locked.body.retry_after).toBeGreaterThan(55);
    expect(locked.body.retry_after).toBeLessThanOrEqual(60);
    expect(locked.headers.get('retry-after')).toBe(String(locked.body.retry_after));
    expect((await login(account, PASSWORD, elsewhere)).status).toBe(200);
  });

  it('count as one for every spelling of the name and every address of an IPv6 /64', async () => {
    const { account } = await createPlayer(service);
    const from = (last: number) => `2001:db8:${lastAddress++}:1::${last}`;
    const network = from(0).slice(0, -1);
    await login(account, 'wrong', `${network}1`);
    await login(account.toUpperCase(), 'wrong', `${network}2`);
    await login(account, 'wrong', `${network}3:4:5`);
    expect((await login(account, PASSWORD, `${network}ffff`)).body.error).toBe('login_throttled');
  });

  it('lock an unknown account as they lock a known one', async () => {
    const [name, here] = [unique('nobody'), newAddress()];
    expect((await fail(name, 4, () => here)).at(-1)).toBe('login_throttled');
    expect((await login(name.toUpperCase(), 'wrong', here)).body.error).toBe('login_throttled');
  });

  it('are forgotten after a success', async () => {
    const { account } = await createPlayer(service);
    const here = newAddress();
    for (let round = 0; round < 3; round++) {
      await fail(account, 2, () => here);
      expect((await login(account, PASSWORD, here)).status).toBe(200);
    }
  });

  it('lock for twice as long each time, up to the longest', async () => {
    const patient = await startApp({
      settings: { login_throttle: { account_and_address: LIMITS.account_and_address } },
    });
    const { account } = await createPlayer(patient);
    const attempt = (password: string) =>
      patient.client.post('/api/login', { account, password }, { from: '198.18.0.1' });
    const waits: number[] = [];
    let passed = 0;
    for (let round = 0; round < 4; round++)
      await withClockAhead(passed, async () => {
        for (let time = 0; time < 3; time++)
          expect((await attempt('wrong')).body.error).toBe('bad_credentials');
        const { retry_after: wait } = (await attempt(PASSWORD)).body;
        waits.push(wait);
        passed += wait + 1;
      });
    expect(waits).toEqual([60, 120, 200, 200]);
    await withClockAhead(passed, async () => expect((await attempt(PASSWORD)).status).toBe(200));
    await patient.stop();
  });

  it('on many accounts lock the address', async () => {
    const here = newAddress();
    for (let time = 0; time < 8; time++) await login(unique('nobody'), 'wrong', here);
    const { account } = await createPlayer(service);
    const answer = await login(account, PASSWORD, here);
    expect(answer.body.error).toBe('login_throttled');
    expect(answer.body.retry_after).toBeGreaterThan(590);
  });

  it.each([
    ['/56', 4, (n: number) => `2001:db8:56:${(0x100 + n).toString(16)}::1`, '2001:db8:56:1ff::1'],
    ['/48', 16, (n: number) => `2001:db8:48:${(n << 8).toString(16)}::1`, '2001:db8:48:ffff::1'],
  ])(
    'from many networks of a %s lock it at %i times the limit, however many come at once',
    async (_, times, from, fresh) => {
      const guesses = Array.from({ length: times * 8 + 8 }, (_each, n) =>
        login(unique('nobody'), 'wrong', from(n)),
      );
      const answers = await Promise.all(guesses);
      const told = answers.filter(({ body }) => body.error === 'bad_credentials');
      expect(told).toHaveLength(times * 8);
      const { account } = await createPlayer(service);
      expect((await login(account, PASSWORD, fresh)).body.error).toBe('login_throttled');
      expect((await login(account, PASSWORD, '2001:db8:5::1')).status).toBe(200);
    },
  );

  it('of others at a shared address spare the players who are known there, and not their guessers', async () => {
    const [cafe, { account }] = [newAddress(), await createPlayer(service)];
    expect((await login(account, PASSWORD, cafe)).status).toBe(200);
    for (let time = 0; time < 8; time++) await login(unique('nobody'), 'wrong', cafe);
    const stranger = await createPlayer(service);
    expect((await login(stranger.account, PASSWORD, cafe)).body.error).toBe('login_throttled');
    expect((await login(account, PASSWORD, cafe)).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => login(account, 'wrong', cafe)),
    );
    const told = guesses.filter(({ body }) => body.error === 'bad_credentials');
    expect(told).toHaveLength(3);
    expect((await login(account, PASSWORD, cafe)).body.error).toBe('login_throttled');
  });

  it('from many addresses lock the account, but not for an address that is known', async () => {
    const { account } = await createPlayer(service);
    const home = newAddress();
    expect((await login(account, PASSWORD, home)).status).toBe(200);
    expect((await fail(account, 7, newAddress)).at(-1)).toBe('login_throttled');
    expect((await login(account, PASSWORD, newAddress())).body.error).toBe('login_throttled');
    expect((await login(account, PASSWORD, home)).status).toBe(200);
  });

  it('spare an address for 30 days, though its later logins of a day are not written down', async () => {
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

  it('lock an address again that was last seen more than 30 days ago', async () => {
    const player = await createPlayer(service);
    const home = newAddress();
    await login(player.account, PASSWORD, home);
    await service.database
      .getRepository(LoginAddress)
      .update({ playerId: player.id }, { seenAt: new Date(Date.now() - 31.1 * 86_400_000) });
    await fail(player.account, 6, newAddress);
    expect((await login(player.account, PASSWORD, home)).body.error).toBe('login_throttled');
  });

  it('that were refused count for nothing: one address cannot lock an account for all', async () => {
    const { account } = await createPlayer(service);
    const here = newAddress();
    await fail(account, 30, () => here);
    expect((await login(account, PASSWORD, newAddress())).status).toBe(200);
    expect((await login(unique('nobody'), 'wrong', here)).body.error).toBe('bad_credentials');
  });

  it('never pass the limit, however many come at once', async () => {
    const { account } = await createPlayer(service);
    const here = newAddress();
    const guesses = Array.from({ length: 60 }, (_, guess) =>
      login(account, guess === 30 ? PASSWORD : `guess ${guess}`, here),
    );
    const answers = await Promise.all(guesses);
    const told = answers.filter(({ body }) => body.error === 'bad_credentials');
    expect(told).toHaveLength(3);
    expect((await login(account, PASSWORD, here)).body.error).toBe('login_throttled');
  });

  it('do not slow down an address that logs many accounts in at once', async () => {
    const here = newAddress();
    const accounts = await Promise.all(Array.from({ length: 20 }, () => createPlayer(service)));
    const answers = await answersInTime(
      accounts.flatMap(({ account }) => [
        login(account, PASSWORD, here),
        login(account, PASSWORD, here),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('follow the settings as they change', async () => {
    const { account } = await createPlayer(service);
    const here = newAddress();
    await fail(account, 2, () => here);
    const stricter = { ...LIMITS.account_and_address, failures: 2 };
    await service.changeSettings({
      login_throttle: { ...LIMITS, account_and_address: stricter },
      rate_limit: { per_minute: 100_000 },
    });
    expect((await login(account, PASSWORD, here)).body.error).toBe('login_throttled');
    await service.changeSettings({ login_throttle: LIMITS, rate_limit: { per_minute: 100_000 } });
    expect((await login(account, PASSWORD, here)).status).toBe(200);
  });

  it('cannot be spread over addresses that an untrusted peer makes up', async () => {
    const direct = await startApp({ env: { TRUST_PROXY: 'none' } });
    const { account } = await createPlayer(direct);
    const guess = () =>
      direct.client.post('/api/login', { account, password: 'wrong' }, { from: newAddress() });
    for (let time = 0; time < 5; time++) expect((await guess()).body.error).toBe('bad_credentials');
    expect((await guess()).body.error).toBe('login_throttled');
    await direct.stop();
  });

  it('are counted in the metrics, and so are the locks', async () => {
    const { text } = await service.client.get('/api/metrics');
    expect(text).toMatch(/^gatehouse_logins_total\{outcome="ok"\} \d+$/m);
    expect(text).toMatch(/^gatehouse_logins_total\{outcome="login_throttled"\} \d+$/m);
    expect(text).toMatch(/^gatehouse_login_locks_total\{scope="account"\} \d+$/m);
  });
});

describe('the addresses of a player', () => {
  it('are written down once a day', async () => {
    const { id, account } = await createPlayer(service);
    const here = newAddress();
    const addresses = service.database.getRepository(LoginAddress);
    await Promise.all(Array.from({ length: 5 }, () => login(account, PASSWORD, here)));
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
