import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { OperatorActions } from '../../../src/operators/actions/operators/operator-actions.js';
import { OperatorSessions } from '../../../src/operators/actions/operators/operator-sessions.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import type { Answer } from '../../support/api/client.js';
import {
  addOperator,
  cookieOf,
  deskUser,
  type SignedIn,
  signedIn,
  signIn,
  startDesk,
  type TestDesk,
  type TestOperator,
  totpCodeOf,
} from '../../support/api/desk.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

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
  it('returns the operator, sets the cookie and writes an audit event', async () => {
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
      expect.stringMatching(
        /^gatehouse_desk_device=[\w-]{16}\.[\w-]{43}; Max-Age=15552000; .*HttpOnly; SameSite=Strict$/,
      ),
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

  // A first run has no authenticator app.
  if (inject('database').kind === 'embedded')
    it('asks for no TOTP code on the embedded database', async () => {
      const operator = await addOperator(desk, 'support');
      expect(outcome(await tryWith(operator, { totp: '0' }))).toBe('ok');
    });
  else
    it('accepts each TOTP code once, even on two desks at once', async () => {
      const operator = await addOperator(desk, 'support');
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
      // The next code works, and earlier ones no longer do.
      expect(outcome(await tryWith(operator, { totp: totpCodeOf(operator, 1) }))).toBe('ok');
      expect(outcome(await tryWith(operator, { totp: totpCodeOf(operator, 0) }))).toBe(
        'bad_credentials',
      );
      for (const totp of ['000000', totpCodeOf(operator, 5), totpCodeOf(operator, -5)])
        expect(outcome(await tryWith(operator, { totp }))).toBe('bad_credentials');
    });
});

describe('POST /api/sign_in with wrong credentials', () => {
  it('records when an operator may not try again from an address', async () => {
    const operator = await addOperator(desk, 'admin');
    const guess = (n: number) =>
      tryWith({ ...operator, password: `guess ${n}` }, { from: '203.0.113.5' });
    const answers = await allAtOnce(times(12, (n) => () => guess(n)));
    expect(answers.map(outcome).toSorted()).toEqual([
      ...Array<string>(5).fill('bad_credentials'),
      ...Array<string>(7).fill('login_throttled'),
    ]);
    const written = await service.app.get(AuditLog).findBySubject(`operator ${operator.name}`, 10);
    expect(new Set(written.map(({ act }) => act))).toEqual(new Set(['operator.lock']));
  });

  it.each(['reset', 'enable'] as const)('counts anew after operator %s', async (act) => {
    const operator = await addOperator(desk, 'admin');
    const from = anAddress();
    for (let n = 0; n < 5; n++) await tryWith({ ...operator, password: 'x' }, { from });
    expect(outcome(await tryWith(operator, { from }))).toBe('login_throttled');
    // By another process, as the command is.
    const made = await second.app.get(OperatorActions)[act](WHO, operator.name);
    const password = made ?? operator.password;
    expect(outcome(await tryWith({ ...operator, password }, { from }))).toBe('ok');
  });

  // The column of names is ASCII.
  it.each(['ó', '安娜', 'anna\u202e', "a' OR 1"])(
    'refuses the name %j like any other',
    async (name) => {
      const nobody = { name, password: 'x', totpSecret: 'A'.repeat(32) };
      expect(outcome(await tryWith(nobody))).toBe('bad_credentials');
    },
  );
});

describe('The session cookie of the desk', () => {
  const works = async ({ get }: SignedIn) => (await get('/api/session')).status === 200;

  it('is rejected by every desk after POST /api/sign_out', async () => {
    const session = await deskUser(desk, 'admin');
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
  ])('is rejected by every desk once the operator is %s', async (_, act) => {
    const operator = await addOperator(desk, 'admin');
    const session = await signIn(desk, operator);
    const elsewhere = signedIn(second, session.cookie, session.token);
    expect(await works(elsewhere)).toBe(true);
    await act(operator.name);
    for (const each of [session, elsewhere]) expect(await works(each)).toBe(false);
  });

  it('ends when the operator has five newer ones', async () => {
    const operator = await addOperator(desk, 'support');
    const { id } = (await acts.list()).find(({ name }) => name === operator.name)!;
    const sessions = desk.app.get(OperatorSessions);
    const secrets: string[] = [];
    // Two of the same millisecond would have no order.
    for (let n = 0; n < 6; n++)
      await withClockAhead(n, async () => {
        secrets.push(await sessions.create(service.database.manager, id, '127.0.0.1'));
      });
    const valid = await Promise.all(secrets.map((secret) => sessions.find(secret)));
    const isValid = valid.map((session) => session !== undefined);
    expect(isValid).toEqual([false, true, true, true, true, true]);
  });

  it('does not admit an operator who was disabled during the sign-in', async () => {
    const operator = await addOperator(desk, 'admin');
    const [answer] = await Promise.all([tryWith(operator), acts.disable(WHO, operator.name)]);
    if (answer.status !== 200) return expect(outcome(answer)).toBe('bad_credentials');
    const session = signedIn(desk, cookieOf(answer), answer.body.data.token as string);
    expect(await works(session)).toBe(false);
  });
});
