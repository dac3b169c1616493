import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SignInThrottled } from '../../src/operators/desk/access/access.errors.js';
import { OperatorActions } from '../../src/operators/actions/operators/operator-actions.js';
import { OperatorSessions } from '../../src/operators/actions/operators/operator-sessions.js';
import { SignInAttempts } from '../../src/operators/desk/access/sign-in-attempts.js';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { captureLog } from '../support/api/captured-log.js';
import type { Answer } from '../support/api/client.js';
import {
  addOperator,
  totpCodeOf,
  cookieOf,
  signInAs,
  signIn,
  type SignedIn,
  signedIn,
  startDesk,
  type TestDesk,
  type TestOperator,
} from '../support/api/desk-access.js';
import { unique } from '../support/api/factories.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { answersInTime, neverMoreThan } from '../support/run/slow-machine.js';
import { until } from '../support/until.js';

const WHO = { by: 'anna', note: 'ticket 7' };

let service: TestApp;
let desk: TestDesk;
/** Another process, as far as it concerns the database: it shares no memory with the first. */
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

const isWrong = ({ body }: Answer) => body.error === 'bad_credentials';
const outcome = ({ status, body }: Answer) => (status === 200 ? 'ok' : (body.error as string));

describe('signing in', () => {
  it('answers who it is, sets the cookie, and is written down', async () => {
    const operator = await addOperator(desk, 'treasury');
    const answer = await tryWith(operator, { from: '192.0.2.9' });
    const { name } = operator;
    const { token } = answer.body.data as { token: string };
    expect(answer.body).toEqual({
      code: 0,
      message: 'ok',
      data: { operator: { name, role: 'treasury' }, token: expect.any(String), expires_in: 28_800 },
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^gatehouse_desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const { get } = signedIn(desk, cookieOf(answer), token);
    expect((await get('/api/session')).body.data).toEqual({
      operator: { name, role: 'treasury' },
      token,
      embedded: desk.embedded,
      four_eyes_above: 0,
    });
    const [written] = await service.app.get(AuditLog).findBySubject(`operator ${name}`, 1);
    expect(written).toMatchObject({
      act: 'operator.sign-in',
      operator: name,
      note: 'from 192.0.2.9',
    });
  });

  it('stores neither the cookie, nor its token, nor the password', async () => {
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

  it('logs who asked, and no secret', async () => {
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

  it('sends the cookie over TLS alone, unless the desk is on this machine', async () => {
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

  it('refuses with the same answer, and no sooner, whatever was wrong', async () => {
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
    const times: number[] = [];
    for (const password of ['costs', 'little', 'to compare']) {
      const started = performance.now();
      await tryWith({ ...operator, password });
      times.push(performance.now() - started);
    }
    expect(Math.min(...times)).toBeGreaterThan(290);
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

  it('takes nothing from the caller but name, password and code', async () => {
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

  it('asks for a code of the app, and takes each once, on two desks at once', async () => {
    const operator = await addOperator(desk, 'support');
    if (desk.embedded) {
      // Nobody sets up an app for a first run.
      expect(outcome(await tryWith(operator, { totp: '' + 0 }))).toBe('ok');
      return;
    }
    const { name, password } = operator;
    const without = await desk.client.post(
      '/api/sign_in',
      { name, password },
      { from: anAddress() },
    );
    expect(outcome(without)).toBe('bad_credentials');
    const code = totpCodeOf(operator);
    const outcomes = await Promise.all(
      [desk, second, desk, second].map(async (at) =>
        outcome(await tryWith(operator, { totp: code, at })),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array<string>(3).fill('bad_credentials'), 'ok']);
    expect(outcome(await tryWith(operator, { totp: code, at: second }))).toBe('bad_credentials');
    // The next one works, and then none before it.
    expect(outcome(await tryWith(operator, { totp: totpCodeOf(operator, 1) }))).toBe('ok');
    expect(outcome(await tryWith(operator, { totp: totpCodeOf(operator, 0) }))).toBe(
      'bad_credentials',
    );
    for (const totp of ['000000', totpCodeOf(operator, 5), totpCodeOf(operator, -5)])
      expect(outcome(await tryWith(operator, { totp }))).toBe('bad_credentials');
  });
});

describe('guessing', () => {
  it('gets five answers, however many tries come at once on two desks, and then a lock', async () => {
    const operator = await addOperator(desk, 'admin');
    const guess = (n: number) =>
      tryWith({ ...operator, password: `guess ${n}` }, { at: n % 2 ? desk : second });
    // Connections first: to make one may take longer than a try may wait.
    const connected = [desk, second].flatMap(({ app }) =>
      Array.from({ length: 6 }, () => app.get(OperatorActions).list()),
    );
    await Promise.all(connected);
    const answers = await answersInTime(
      Array.from({ length: 12 }, (_, n) => guess(n)),
      neverMoreThan(5, isWrong),
    );
    expect(answers.map(outcome).toSorted()).toEqual([
      ...Array<string>(5).fill('bad_credentials'),
      ...Array<string>(7).fill('login_throttled'),
    ]);
    const refused = answers.filter(({ status }) => status === 429);
    for (const { status, headers } of refused) {
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
    }
    // Nor one that had read the row before the lock.
    const { id } = (await acts.list()).find(({ name }) => name === operator.name)!;
    const late = { id, lockedUntil: null };
    await expect(desk.app.get(SignInAttempts).countForOperator(late)).rejects.toThrow(
      SignInThrottled,
    );
    // Not even with the right ones, nor from elsewhere.
    expect(outcome(await tryWith(operator))).toBe('login_throttled');
    const written = await service.app.get(AuditLog).findBySubject(`operator ${operator.name}`, 10);
    expect(written.map(({ act }) => act)).toEqual(['operator.lock']);
    await acts.enable(WHO, operator.name);
    expect(outcome(await tryWith(operator))).toBe('ok');
  });

  it('is let go on after a quarter of an hour, with five tries', async () => {
    const operator = await addOperator(desk, 'support');
    const guesses = () =>
      Promise.all(Array.from({ length: 6 }, () => tryWith({ ...operator, password: 'x' })));
    expect((await guesses()).map(outcome)).toContain('login_throttled');
    await withClockAhead(901, async () => {
      const outcomes = (await guesses()).map(outcome).toSorted();
      expect(outcomes).toEqual([...Array<string>(5).fill('bad_credentials'), 'login_throttled']);
    });
  });

  it('at a name that nobody has is locked the same way', async () => {
    const nobody = { name: unique('nobody'), password: 'x', totpSecret: 'A'.repeat(32) };
    const answers = await answersInTime(
      Array.from({ length: 8 }, () => tryWith(nobody)),
      neverMoreThan(5, isWrong),
    );
    const outcomes = answers.map(outcome).toSorted();
    expect(outcomes).toEqual([
      ...Array<string>(5).fill('bad_credentials'),
      ...Array<string>(3).fill('login_throttled'),
    ]);
    expect(Number((await tryWith(nobody)).headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('by one address ends after twenty tries at whatever names', async () => {
    const operators = await Promise.all(
      Array.from({ length: 6 }, () => addOperator(desk, 'support')),
    );
    const [operator] = operators as [TestOperator];
    const from = '203.0.113.77';
    const guesses = operators.flatMap((each) => Array<TestOperator>(4).fill(each)).slice(0, 22);
    const tries = guesses.map((each) => tryWith({ ...each, password: 'x' }, { from }));
    const outcomes = (await Promise.all(tries)).map(outcome);
    expect(outcomes.filter((each) => each === 'login_throttled')).toHaveLength(2);
    expect(outcome(await tryWith(operator, { from }))).toBe('login_throttled');
    expect(outcome(await tryWith(operator))).toBe('ok');
  });
});

describe('a stolen cookie', () => {
  const works = async ({ get }: SignedIn) => (await get('/api/session')).status === 200;

  it('is worth nothing after the sign-out, on any desk', async () => {
    const session = await signInAs(desk, 'admin');
    const stolen = signedIn(second, session.cookie, session.token);
    expect(await works(stolen)).toBe(true);
    const answer = await session.post('/api/sign_out');
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^gatehouse_desk=; Path=\/; Expires=Thu, 01 Jan 1970/,
    );
    for (const each of [session, stolen]) expect(await works(each)).toBe(false);
    const refused = await stolen.get('/api/session');
    expect([refused.status, refused.body.error]).toEqual([401, 'unauthorized']);
  });

  it.each([
    ['disabled', (name: string) => acts.disable(WHO, name)],
    ['reset', (name: string) => acts.reset(WHO, name)],
    ['given another role', (name: string) => acts.setRole(WHO, name, 'support')],
  ])('is worth nothing once the operator is %s, nor is what streams by it', async (_, act) => {
    const operator = await addOperator(desk, 'admin');
    const session = await signIn(desk, operator);
    const { id } = (await second.app.get(OperatorSessions).find(session.cookie.split('=')[1]!))!;
    expect(await second.app.get(OperatorSessions).isActive(id)).toBe(true);
    await act(operator.name);
    expect(await works(session)).toBe(false);
    expect(await works(signedIn(second, session.cookie, session.token))).toBe(false);
    expect(await second.app.get(OperatorSessions).isActive(id)).toBe(false);
  });

  it('is worth nothing after half an hour without use, or eight hours with it', async () => {
    const [idle, busy] = [await signInAs(desk, 'admin'), await signInAs(desk, 'admin')];
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

  it('does not bring back who was disabled while signing in', async () => {
    const operator = await addOperator(desk, 'admin');
    const [answer] = await Promise.all([tryWith(operator), acts.disable(WHO, operator.name)]);
    if (answer.status !== 200) return expect(outcome(answer)).toBe('bad_credentials');
    const session = signedIn(desk, cookieOf(answer), answer.body.data.token as string);
    expect(await works(session)).toBe(false);
  });
});
