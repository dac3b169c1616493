import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { OperatorActions } from '../../../src/operators/actions/operators/operator-actions.js';
import { Operator } from '../../../src/operators/actions/operators/operator.entity.js';
import { OperatorSessions } from '../../../src/operators/actions/operators/operator-sessions.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import {
  addOperator,
  cookieOf,
  deskUser,
  type SignedIn,
  signedIn,
  outcomeOf,
  signIn,
  signInRequests,
  startDesk,
  type TestDesk,
  totpCodeOf,
} from '../../support/api/desk.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

const WHO = { by: 'anna', note: 'ticket 7' };

let service: TestApp;
let desk: TestDesk;
/** The second desk shares the first desk's database but not its memory. */
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

const { newAddress, tryWith } = signInRequests(() => desk);

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

  // The embedded database requires no authenticator app.
  if (inject('database').kind === 'embedded')
    it('asks for no TOTP code on the embedded database', async () => {
      const operator = await addOperator(desk, 'support');
      expect(outcomeOf(await tryWith(operator, { totp: '0' }))).toBe('ok');
    });
  else
    it('accepts each TOTP code once, even in parallel on two desks', async () => {
      const operator = await addOperator(desk, 'support');
      const { name, password } = operator;
      const without = await desk.client.post(
        '/api/sign_in',
        { name, password },
        { from: newAddress() },
      );
      expect(outcomeOf(without)).toBe('bad_credentials');
      const code = totpCodeOf(operator);
      const outcomes = await Promise.all(
        [desk, second, desk, second].map(async (at) =>
          outcomeOf(await tryWith(operator, { totp: code, at })),
        ),
      );
      expect(outcomes.toSorted()).toEqual([...Array<string>(3).fill('bad_credentials'), 'ok']);
      expect(outcomeOf(await tryWith(operator, { totp: code, at: second }))).toBe(
        'bad_credentials',
      );
      // The next code is accepted, and earlier codes no longer are.
      expect(outcomeOf(await tryWith(operator, { totp: totpCodeOf(operator, 1) }))).toBe('ok');
      expect(outcomeOf(await tryWith(operator, { totp: totpCodeOf(operator, 0) }))).toBe(
        'bad_credentials',
      );
      for (const totp of ['000000', totpCodeOf(operator, 5), totpCodeOf(operator, -5)])
        expect(outcomeOf(await tryWith(operator, { totp }))).toBe('bad_credentials');
    });
});

describe('POST /api/sign_in with wrong credentials', () => {
  it('records that an operator is locked out from an address', async () => {
    const operator = await addOperator(desk, 'admin');
    const guess = (n: number) =>
      tryWith({ ...operator, password: `guess ${n}` }, { from: '203.0.113.5' });
    const answers = await allAtOnce(times(12, (n) => () => guess(n)));
    expect(answers.map(outcomeOf).toSorted()).toEqual([
      ...Array<string>(5).fill('bad_credentials'),
      ...Array<string>(7).fill('login_throttled'),
    ]);
    const written = await service.app.get(AuditLog).findBySubject(`operator ${operator.name}`, 10);
    expect(new Set(written.map(({ act }) => act))).toEqual(new Set(['operator.lock']));
  });

  it.each(['reset', 'enable'] as const)(
    'resets the failure count after gatehouse operator %s',
    async (act) => {
      const operator = await addOperator(desk, 'admin');
      const from = newAddress();
      for (let n = 0; n < 5; n++) await tryWith({ ...operator, password: 'x' }, { from });
      expect(outcomeOf(await tryWith(operator, { from }))).toBe('login_throttled');
      // The second desk acts as another process, like the command.
      const made = await second.app.get(OperatorActions)[act](WHO, operator.name);
      const password = made ?? operator.password;
      expect(outcomeOf(await tryWith({ ...operator, password }, { from }))).toBe('ok');
    },
  );

  // The name column is ASCII.
  it.each(['ó', '安娜', 'anna\u202e', "a' OR 1"])(
    'rejects the unknown name %j like any other',
    async (name) => {
      const nobody = { name, password: 'x', totpSecret: 'A'.repeat(32) };
      expect(outcomeOf(await tryWith(nobody))).toBe('bad_credentials');
    },
  );
});

describe("The desk's session cookie", () => {
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

  it('becomes invalid once the operator has five newer sessions', async () => {
    const operator = await addOperator(desk, 'support');
    const operators = service.database.getRepository(Operator);
    const { id } = await operators.findOneByOrFail({ name: operator.name });
    const sessions = desk.app.get(OperatorSessions);
    const secrets: string[] = [];
    // The order of two sessions from the same millisecond would be undefined.
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
    if (answer.status !== 200) return expect(outcomeOf(answer)).toBe('bad_credentials');
    const session = signedIn(desk, cookieOf(answer), answer.body.data.token as string);
    expect(await works(session)).toBe(false);
  });
});
