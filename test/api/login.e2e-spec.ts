import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newMailbox, PASSWORD, unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer } from '../support/api/factories.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { inParallel } from '../support/api/parallel.js';
import { loginRequests } from '../support/api/login.js';

const LIMITS = {
  account_and_address: { failures: 3, window: 300, lock: 60, max_lock: 200 },
  address: { failures: 4, window: 600, lock: 600 },
  account: { failures: 6, window: 3600, lock: 900 },
};
const SETTINGS = { login_throttle: LIMITS, rate_limit: { per_minute: 100_000 } };
let service: TestApp;

beforeAll(async () => {
  service = await startApp({ settings: SETTINGS });
});
afterAll(() => service.stop());

const { newAddress, login, fail } = loginRequests(() => service);

describe('POST /api/login', () => {
  it.each(['', '!', '0'.repeat(32), 'f'.repeat(64)])(
    'rejects every password if the stored hash is "%s"',
    async (password) => {
      const { account } = await createPlayer(service, { password });
      for (const guess of ['undefined', 'null', password || 'x', PASSWORD])
        expect((await login(account, guess, newAddress())).body.error).toBe('bad_credentials');
    },
  );

  it('reads one player row for every name and e-mail address, whether or not an account has it', async () => {
    const { account, email } = await createPlayer(service, { email: newMailbox() });
    const query = vi.spyOn(service.database.manager, 'query');
    const rowsFor = async (typed: string) => {
      query.mockClear();
      expect((await login(typed, 'wrong', newAddress())).body.error).toBe('bad_credentials');
      const lookups = query.mock.calls.flatMap(([sql], at) =>
        sql.includes('LEFT JOIN login_address') ? [query.mock.results[at]!.value] : [],
      );
      return (await Promise.all(lookups)).map((rows: unknown[]) => rows.length);
    };
    for (const name of [account, unique('nobody'), '0', 'zzzz', '\u{10ffff}'])
      expect(await rowsFor(name), name).toEqual([1]);
    for (const mailbox of [email!, newMailbox(), '0@0.example', 'zzzz@zzzz.example'])
      expect(await rowsFor(mailbox), mailbox).toEqual([1, 1]);
    query.mockRestore();
  });

  it('reveals that an account is disabled only with the correct password', async () => {
    const { account } = await createPlayer(service, { disabledAt: new Date() });
    expect((await login(account, PASSWORD, newAddress())).body.error).toBe('account_disabled');
    expect((await login(account, 'wrong', newAddress())).body.error).toBe('bad_credentials');
  });
});

describe('Failed logins', () => {
  it('lock the account only at this address, even for the correct password', async () => {
    const { account } = await createPlayer(service);
    const [here, elsewhere] = [newAddress(), newAddress()];
    expect(await fail(account, 4, () => here)).toEqual([
      ...Array<string>(3).fill('bad_credentials'),
      'login_throttled',
    ]);
    const locked = await login(account, PASSWORD, here);
    expect(locked.body.error).toBe('login_throttled');
    expect(locked.body.retry_after).toBeGreaterThan(30);
    expect(locked.body.retry_after).toBeLessThanOrEqual(60);
    expect(locked.headers.get('retry-after')).toBe(String(locked.body.retry_after));
    expect((await login(account, PASSWORD, elsewhere)).status).toBe(200);
  });

  it('count together for all spellings of a name and all addresses of an IPv6 /64', async () => {
    const { account } = await createPlayer(service);
    let lastNetwork = 0;
    const from = (last: number) => `2001:db8:${lastNetwork++}:1::${last}`;
    const network = from(0).slice(0, -1);
    await login(account, 'wrong', `${network}1`);
    await login(account.toUpperCase(), 'wrong', `${network}2`);
    await login(account, 'wrong', `${network}3:4:5`);
    expect((await login(account, PASSWORD, `${network}ffff`)).body.error).toBe('login_throttled');
  });

  it('lock an unknown account like a known one', async () => {
    const [name, here] = [unique('nobody'), newAddress()];
    expect((await fail(name, 4, () => here)).at(-1)).toBe('login_throttled');
    expect((await login(name.toUpperCase(), 'wrong', here)).body.error).toBe('login_throttled');
  });

  it('are forgotten after a successful login', async () => {
    const { account } = await createPlayer(service);
    const here = newAddress();
    for (let round = 0; round < 3; round++) {
      await fail(account, 2, () => here);
      expect((await login(account, PASSWORD, here)).status).toBe(200);
    }
  });

  it('double the lock time each time, up to max_lock', async () => {
    await service.changeSettings({
      login_throttle: { account_and_address: LIMITS.account_and_address },
      rate_limit: { per_minute: 100_000 },
    });
    const [{ account }, here] = [await createPlayer(service), newAddress()];
    const attempt = (password: string) => login(account, password, here);
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
    // The remaining time is rounded up because a few seconds may have passed since the lock.
    expect(waits.map((wait) => Math.ceil(wait / 20) * 20)).toEqual([60, 120, 200, 200]);
    await withClockAhead(passed, async () => expect((await attempt(PASSWORD)).status).toBe(200));
    await service.changeSettings(SETTINGS);
  });

  it('for many accounts lock the address', async () => {
    const here = newAddress();
    for (let time = 0; time < 4; time++) await login(unique('nobody'), 'wrong', here);
    const { account } = await createPlayer(service);
    const answer = await login(account, PASSWORD, here);
    expect(answer.body.error).toBe('login_throttled');
    expect(answer.body.retry_after).toBeGreaterThan(500);
  });

  it('from many networks of a /56 lock the /56 at twice the limit of an address', async () => {
    const guess = (n: number) =>
      login(unique('nobody'), 'wrong', `2001:db8:56:${(0x100 + n).toString(16)}::1`);
    const answers = await inParallel(guess, 12);
    expect(answers.filter(({ body }) => body.error === 'bad_credentials')).toHaveLength(8);
    const { account } = await createPlayer(service);
    const fresh = await login(account, PASSWORD, '2001:db8:56:1ff::1');
    expect(fresh.body.error).toBe('login_throttled');
    expect((await login(account, PASSWORD, '2001:db8:5::1')).status).toBe(200);
  });

  it('by strangers at a shared address do not lock out players who are known there', async () => {
    const [cafe, { account }] = [newAddress(), await createPlayer(service)];
    expect((await login(account, PASSWORD, cafe)).status).toBe(200);
    for (let time = 0; time < 4; time++) await login(unique('nobody'), 'wrong', cafe);
    const stranger = await createPlayer(service);
    expect((await login(stranger.account, PASSWORD, cafe)).body.error).toBe('login_throttled');
    expect((await login(account, PASSWORD, cafe)).status).toBe(200);
    const guesses = await inParallel(() => login(account, 'wrong', cafe));
    const told = guesses.filter(({ body }) => body.error === 'bad_credentials');
    expect(told).toHaveLength(3);
    expect((await login(account, PASSWORD, cafe)).body.error).toBe('login_throttled');
  });

  it('that are throttled do not count, so one address cannot lock an account for other addresses', async () => {
    const { account } = await createPlayer(service);
    const here = newAddress();
    await fail(account, 10, () => here);
    expect((await login(account, PASSWORD, newAddress())).status).toBe(200);
    expect((await login(unique('nobody'), 'wrong', here)).body.error).toBe('bad_credentials');
  });

  it('never exceed the limit in parallel requests', async () => {
    const { account } = await createPlayer(service);
    const here = newAddress();
    const answers = await inParallel((guess) => login(account, `guess ${guess}`, here), 12);
    const told = answers.filter(({ body }) => body.error === 'bad_credentials');
    expect(told).toHaveLength(3);
    expect((await login(account, PASSWORD, here)).body.error).toBe('login_throttled');
  });

  it('are compared with changed limits immediately', async () => {
    const { account } = await createPlayer(service);
    const here = newAddress();
    await fail(account, 2, () => here);
    const stricter = { ...LIMITS.account_and_address, failures: 2 };
    await service.changeSettings({
      login_throttle: { ...LIMITS, account_and_address: stricter },
      rate_limit: { per_minute: 100_000 },
    });
    expect((await login(account, PASSWORD, here)).body.error).toBe('login_throttled');
    await service.changeSettings(SETTINGS);
    expect((await login(account, PASSWORD, here)).status).toBe(200);
  });

  it('count for one address if an untrusted peer forges the forwarded address', async () => {
    const direct = await startApp({ env: { TRUST_PROXY: 'none' } });
    const { account } = await createPlayer(direct);
    const guess = () =>
      direct.client.post('/api/login', { account, password: 'wrong' }, { from: newAddress() });
    for (let time = 0; time < 5; time++) expect((await guess()).body.error).toBe('bad_credentials');
    expect((await guess()).body.error).toBe('login_throttled');
    await direct.stop();
  });

  it('appear in the metrics together with the locks', async () => {
    const { text } = await service.client.get('/api/metrics');
    expect(text).toMatch(/^gatehouse_logins_total\{outcome="ok"\} \d+$/m);
    expect(text).toMatch(/^gatehouse_logins_total\{outcome="login_throttled"\} \d+$/m);
    expect(text).toMatch(/^gatehouse_login_locks_total\{scope="account"\} \d+$/m);
  });
});
