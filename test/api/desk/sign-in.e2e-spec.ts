import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorActions } from '../../../src/operators/actions/operators/operator-actions.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
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
let acts: OperatorActions;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  acts = desk.app.get(OperatorActions);
});
afterAll(async () => {
  await desk.stop();
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
  it('throttles a name from an address after five failures, whether an operator has it or not', async () => {
    const known = await addOperator(desk, 'support');
    const nobody = { ...known, name: unique('nobody') };
    const results = await Promise.all(
      [known, nobody].map(async (tried) => {
        const from = anAddress();
        const answers: Answer[] = [];
        for (let n = 0; n < 7; n++)
          answers.push(await tryWith({ ...tried, password: 'x' }, { from }));
        return answers;
      }),
    );
    for (const answers of results) {
      expect(answers.map(outcome)).toEqual([
        ...Array<string>(5).fill('bad_credentials'),
        ...Array<string>(2).fill('login_throttled'),
      ]);
      expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    // Elsewhere the operator is not locked.
    expect(outcome(await tryWith(known))).toBe('ok');
  });

  it('throttles a name everywhere after thirty failures, but not its right credentials', async () => {
    const operator = await addOperator(desk, 'support');
    const guess = (from: string) => tryWith({ ...operator, password: 'x' }, { from });
    const from = times(8, () => anAddress());
    const outcomes = await allAtOnce(from.flatMap((each) => times(4, () => () => guess(each))));
    expect(outcomes.map(outcome).filter((each) => each === 'login_throttled')).toHaveLength(2);
    expect(outcome(await guess(anAddress()))).toBe('login_throttled');
    expect(outcome(await tryWith(operator))).toBe('ok');
  });

  it('spares a device on which the operator has signed in before', async () => {
    const [operator, other] = [await addOperator(desk, 'admin'), await addOperator(desk, 'admin')];
    const from = '203.0.113.88';
    const deviceOf = ({ headers }: Answer) => headers.getSetCookie()[1]!.split(';')[0]!;
    const device = deviceOf(await tryWith(operator, { from }));
    const names = [operator, ...times(6, () => ({ ...operator, name: unique('nobody') }))];
    const guesses = names.flatMap((each) =>
      times(4, () => () => tryWith({ ...each, password: 'x' }, { from })),
    );
    await allAtOnce(guesses);
    const wrongHere = () => tryWith({ ...operator, password: 'x' }, { from });
    expect(outcome(await wrongHere())).toBe('login_throttled');
    // Its five tries from here are used up, so right credentials do not help either.
    expect(outcome(await tryWith(operator, { from }))).toBe('login_throttled');
    const withDevice = ({ name, password, ...rest }: TestOperator, off = 1) =>
      desk.client.post(
        '/api/sign_in',
        { name, password, totp: totpCodeOf({ name, password, ...rest }, off) },
        { from, headers: { Cookie: device } },
      );
    expect(outcome(await withDevice(operator))).toBe('ok');
    // It is the device of one operator, and its own tries count as well.
    expect(outcome(await withDevice({ ...other, password: 'x' }))).toBe('login_throttled');
    const wrong = await allAtOnce(times(6, () => () => withDevice({ ...operator, password: 'x' })));
    expect(wrong.map(outcome)).toContain('login_throttled');
  });

  it('believes no X-Forwarded-For unless DESK_TRUST_PROXY names the proxy', async () => {
    const direct = await startDesk(service, { DESK_TRUST_PROXY: 'none' });
    const operator = await addOperator(direct, 'support');
    const headers = { 'X-Forwarded-Proto': 'https' };
    const { name, password } = operator;
    const form = { name, password, totp: totpCodeOf(operator) };
    const answer = await direct.client.post('/api/sign_in', form, { from: '192.0.2.9', headers });
    expect(answer.headers.getSetCookie()[0]).not.toContain('Secure');
    const guesses = times(
      21,
      () => () => tryWith({ ...operator, name: unique('x') }, { at: direct }),
    );
    expect((await allAtOnce(guesses)).map(outcome)).toContain('login_throttled');
    const [written] = await service.app.get(AuditLog).findBySubject(`operator ${name}`, 1);
    expect(written).toMatchObject({ note: 'from 127.0.0.1' });
    await direct.stop();
  });

  it('locks an address after twenty failures, whatever the names, but not right credentials', async () => {
    const operators = await Promise.all(
      Array.from({ length: 6 }, () => addOperator(desk, 'support')),
    );
    const [operator] = operators as [TestOperator];
    const from = '203.0.113.77';
    const guesses = operators.flatMap((each) => Array<TestOperator>(4).fill(each)).slice(0, 22);
    const tries = guesses.map((each) => () => tryWith({ ...each, password: 'x' }, { from }));
    const outcomes = (await allAtOnce(tries)).map(outcome);
    expect(outcomes.filter((each) => each === 'login_throttled')).toHaveLength(2);
    const [known, nobody] = [await addOperator(desk, 'support'), unique('nobody')];
    for (const name of [known.name, nobody])
      expect(outcome(await tryWith({ ...known, name, password: 'x' }, { from }))).toBe(
        'login_throttled',
      );
    expect(outcome(await tryWith(operator, { from }))).toBe('ok');
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
