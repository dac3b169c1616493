import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorActions } from '../../../src/operators/actions/operators/operator-actions.js';
import { unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { captureLog } from '../../support/api/captured-log.js';
import type { Answer } from '../../support/api/client.js';
import {
  addOperator,
  deskUser,
  type SignedIn,
  signIn,
  startDesk,
  type TestDesk,
  type TestOperator,
  totpCodeOf,
} from '../../support/api/desk.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import { until } from '../../support/until.js';

const WHO = { by: 'anna', note: 'ticket 7' };

let service: TestApp;
let desk: TestDesk;
/** Shares the database with the first desk, but no memory. */
let second: TestDesk;
let acts: OperatorActions;

beforeAll(async () => {
  service = await startApp();
  [desk, second] = [await startDesk(service), await startDesk(service)];
  acts = desk.app.get(OperatorActions);
});
afterAll(async () => {
  await Promise.all([desk.stop(), second.stop()]);
  await service.stop();
});

let addresses = 0;
const anAddress = () => `198.51.100.${++addresses % 250}`;

/** Each try from an address of its own, unless one is given. */
const tryWith = (
  { name, password, ...operator }: TestOperator,
  { totp = totpCodeOf({ name, password, ...operator }), from = anAddress(), at = desk } = {},
): Promise<Answer> => at.client.post('/api/sign_in', { name, password, totp }, { from });

const outcome = ({ status, body }: Answer) => (status === 200 ? 'ok' : (body.error as string));

describe('POST /api/sign_in', () => {
  it('stores neither the cookie nor the token nor the password', async () => {
    const operator = await addOperator(desk, 'support');
    const { cookie, token } = await signIn(desk, operator);
    const rows = JSON.stringify([
      await service.database.query('SELECT * FROM operator'),
      await service.database.query('SELECT * FROM operator_session'),
      await service.database.query('SELECT * FROM audit_event'),
    ]);
    expect(rows).toContain(operator.name);
    for (const secret of [cookie.split('=')[1]!, token, operator.password])
      expect(rows).not.toContain(secret);
  });

  it('logs the name of the operator and no secret', async () => {
    const operator = await addOperator(desk, 'support');
    const log = captureLog();
    const session = await signIn(desk, operator);
    await session.get('/api/session');
    await until(() => log.requests.length === 2);
    const { text, requests } = log;
    log.release();
    expect(requests).toMatchObject([
      { path: '/api/sign_in' },
      { path: '/api/session', operator: operator.name },
    ]);
    for (const secret of [session.cookie.split('=')[1]!, session.token, operator.password])
      expect(text).not.toContain(secret);
  });

  it('marks the cookie Secure behind TLS or when the desk listens beyond loopback', async () => {
    const operator = await addOperator(desk, 'support');
    const { name, password } = operator;
    const behindTls = { from: anAddress(), headers: { 'X-Forwarded-Proto': 'https' } };
    const form = (off: number) => ({ name, password, totp: totpCodeOf(operator, off) });
    const proxied = await desk.client.post('/api/sign_in', form(0), behindTls);
    expect(proxied.headers.getSetCookie()[0]).toContain('; Secure');
    const open = await startDesk(service, { DESK_HOST: '0.0.0.0' });
    const elsewhere = await open.client.post('/api/sign_in', form(1));
    expect(elsewhere.headers.getSetCookie()[0]).toContain('; Secure');
    await open.stop();
  });

  it('gives the same answer after the same delay whatever was wrong', async () => {
    const operator = await addOperator(desk, 'admin');
    const disabled = await addOperator(desk, 'admin');
    await acts.disable(WHO, disabled.name);
    const wrong = [
      { ...operator, name: unique('nobody') },
      { ...operator, password: 'wrong' },
      { ...operator, password: `${operator.password} ` },
      disabled,
    ];
    // The row of a known name is written, which shows in the time unless all wait as long.
    const durations: number[] = [];
    for (const password of ['costs', 'little', 'to compare']) {
      const started = performance.now();
      await tryWith({ ...operator, password });
      durations.push(performance.now() - started);
    }
    expect(Math.min(...durations)).toBeGreaterThan(290);
    await acts.reset(WHO, operator.name);
    const answers = await Promise.all(wrong.map((tried) => tryWith(tried)));
    for (const { status, body, headers } of answers) {
      const { request_id: _, ...rest } = body;
      expect([status, rest]).toEqual([
        401,
        {
          code: 40101,
          error: 'bad_credentials',
          message: 'The name, the password or the code is wrong.',
        },
      ]);
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('ignores every field but name, password and code', async () => {
    const { name, password, totpSecret } = await addOperator(desk, 'support');
    const form = { name, password, totp: totpCodeOf({ name, password, totpSecret }) };
    const more = { role: 'admin', operator_id: 1, disabled_at: null, expires_in: 1e9, id: 1 };
    const answer = await desk.client.post(
      '/api/sign_in',
      { ...form, ...more },
      { from: anAddress() },
    );
    expect(answer.body.data).toMatchObject({
      operator: { name, role: 'support' },
      expires_in: 28_800,
    });
    for (const odd of [{ name: [name] }, { name: { a: 1 } }, { password: 0 }, { totp: 123_456 }])
      expect(outcome(await desk.client.post('/api/sign_in', { ...form, ...odd }))).toBe(
        'invalid_request',
      );
  });
});

describe('POST /api/sign_in with wrong credentials', () => {
  it('allows five more attempts after a quarter of an hour', async () => {
    const operator = await addOperator(desk, 'support');
    const guesses = () => allAtOnce(times(6, () => () => tryWith({ ...operator, password: 'x' })));
    expect((await guesses()).map(outcome)).toContain('login_throttled');
    await withClockAhead(901, async () => {
      const outcomes = (await guesses()).map(outcome).toSorted();
      expect(outcomes).toEqual([...Array<string>(5).fill('bad_credentials'), 'login_throttled']);
    });
  });

  it('locks an unknown name in the same way', async () => {
    const nobody = { name: unique('nobody'), password: 'x', totpSecret: 'A'.repeat(32) };
    const answers = await allAtOnce(times(8, () => () => tryWith(nobody)));
    const outcomes = answers.map(outcome).toSorted();
    expect(outcomes).toEqual([
      ...Array<string>(5).fill('bad_credentials'),
      ...Array<string>(3).fill('login_throttled'),
    ]);
    expect(Number((await tryWith(nobody)).headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('locks an address after twenty failures, whatever the names', async () => {
    const operators = await Promise.all(
      Array.from({ length: 6 }, () => addOperator(desk, 'support')),
    );
    const [operator] = operators as [TestOperator];
    const from = '203.0.113.77';
    const guesses = operators.flatMap((each) => Array<TestOperator>(4).fill(each)).slice(0, 22);
    const tries = guesses.map((each) => () => tryWith({ ...each, password: 'x' }, { from }));
    const outcomes = (await allAtOnce(tries)).map(outcome);
    expect(outcomes.filter((each) => each === 'login_throttled')).toHaveLength(2);
    expect(outcome(await tryWith(operator, { from }))).toBe('login_throttled');
    expect(outcome(await tryWith(operator))).toBe('ok');
  });
});

describe('The session cookie of the desk', () => {
  const works = async ({ get }: SignedIn) => (await get('/api/session')).status === 200;

  it('expires after half an hour without use, or after eight hours', async () => {
    const [idle, busy] = [await deskUser(desk, 'admin'), await deskUser(desk, 'admin')];
    const minutes = Array.from({ length: 23 }, (_, n) => (n + 1) * 20);
    for (const minute of minutes.slice(0, 1))
      await withClockAhead(minute * 60, async () => expect(await works(busy)).toBe(true));
    await withClockAhead(31 * 60, async () => {
      expect(await works(idle)).toBe(false);
      expect(await works(busy)).toBe(true);
    });
    for (const minute of minutes.slice(2))
      await withClockAhead(minute * 60, async () => expect(await works(busy)).toBe(true));
    await withClockAhead(479 * 60, async () => expect(await works(busy)).toBe(true));
    await withClockAhead(481 * 60, async () => expect(await works(busy)).toBe(false));
  });
});
