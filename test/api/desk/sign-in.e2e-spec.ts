import { createHook } from 'node:async_hooks';
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
  outcomeOf,
  signIn,
  signInRequests,
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

const { newAddress, tryWith } = signInRequests(() => desk);

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

  it("logs the operator's name but no secret", async () => {
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

  it('marks the cookie Secure behind TLS or if the desk listens beyond loopback', async () => {
    const operator = await addOperator(desk, 'support');
    const { name, password } = operator;
    const behindTls = { from: newAddress(), headers: { 'X-Forwarded-Proto': 'https' } };
    const form = (off: number) => ({ name, password, totp: totpCodeOf(operator, off) });
    const proxied = await desk.client.post('/api/sign_in', form(0), behindTls);
    expect(proxied.headers.getSetCookie()[0]).toContain('; Secure');
    for (const cookie of proxied.headers.getSetCookie())
      expect(cookie).toMatch(/^__Host-gatehouse_desk(_device)?=.*; Path=\/; /);
    const open = await startDesk(service, { DESK_HOST: '0.0.0.0' });
    const elsewhere = await open.client.post('/api/sign_in', form(1));
    expect(elsewhere.headers.getSetCookie()[0]).toContain('; Secure');
    await open.stop();
  });

  it('returns the same response after the same delay, whatever was wrong', async () => {
    const operator = await addOperator(desk, 'admin');
    const disabled = await addOperator(desk, 'admin');
    await acts.disable(WHO, disabled.name);
    const wrong = [
      { ...operator, name: unique('nobody') },
      { ...operator, password: 'wrong' },
      { ...operator, password: `${operator.password} ` },
      disabled,
    ];
    // Writing a known operator's row takes time, which would show unless all sign-ins take equally long.
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

  it('ignores every field except name, password and code', async () => {
    const { name, password, totpSecret } = await addOperator(desk, 'support');
    const form = { name, password, totp: totpCodeOf({ name, password, totpSecret }) };
    const more = { role: 'admin', operator_id: 1, disabled_at: null, expires_in: 1e9, id: 1 };
    const answer = await desk.client.post(
      '/api/sign_in',
      { ...form, ...more },
      { from: newAddress() },
    );
    expect(answer.body.data).toMatchObject({
      operator: { name, role: 'support' },
      expires_in: 28_800,
    });
    for (const odd of [{ name: [name] }, { name: { a: 1 } }, { password: 0 }, { totp: 123_456 }])
      expect(outcomeOf(await desk.client.post('/api/sign_in', { ...form, ...odd }))).toBe(
        'invalid_request',
      );
  });
});

/** Counts the hashes that Node.js computes during `work`, and how many run in parallel. */
async function countHashes(work: () => Promise<unknown>) {
  const running = new Set<number>();
  const counts = { total: 0, most: 0 };
  const hook = createHook({
    init(id, type) {
      if (type !== 'SCRYPTREQUEST') return;
      running.add(id);
      counts.total++;
      counts.most = Math.max(counts.most, running.size);
    },
    before: (id) => void running.delete(id),
  }).enable();
  await work().finally(() => hook.disable());
  return counts;
}

describe('POST /api/sign_in with wrong credentials', () => {
  it('hashes nothing for invented names, even beyond the address limit', async () => {
    const [from, known] = [newAddress(), await addOperator(desk, 'support')];
    const invented = times(50, () => () => tryWith({ ...known, name: unique('nobody') }, { from }));
    const answers: Answer[] = [];
    const hashes = await countHashes(async () => answers.push(...(await allAtOnce(invented))));
    expect(hashes.total).toBe(0);
    expect(answers.map(outcomeOf)).toContain('login_throttled');
    expect(outcomeOf(await tryWith(known, { from }))).toBe('ok');
  });

  it('hashes at most two passwords at a time', async () => {
    const known = await addOperator(desk, 'support');
    const guesses = times(12, () => () => tryWith({ ...known, password: 'x' }));
    expect(await countHashes(() => allAtOnce(guesses))).toEqual({ total: 12, most: 2 });
  });

  it('throttles a name from an address after five failures, whether or not the operator exists', async () => {
    const known = await addOperator(desk, 'support');
    const nobody = { ...known, name: unique('nobody') };
    const results: Answer[][] = [];
    const hashes = await countHashes(() =>
      Promise.all(
        [known, nobody].map(async (tried) => {
          const from = newAddress();
          const answers: Answer[] = [];
          for (let n = 0; n < 7; n++)
            answers.push(await tryWith({ ...tried, password: 'x' }, { from }));
          results.push(answers);
        }),
      ),
    );
    expect(hashes.total).toBe(5);
    for (const answers of results) {
      expect(answers.map(outcomeOf)).toEqual([
        ...Array<string>(5).fill('bad_credentials'),
        ...Array<string>(2).fill('login_throttled'),
      ]);
      expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    // The operator is not locked at other addresses.
    expect(outcomeOf(await tryWith(known))).toBe('ok');
  });

  it('throttles a name from all addresses after thirty failures, but accepts its correct credentials', async () => {
    const operator = await addOperator(desk, 'support');
    const guess = (from: string) => tryWith({ ...operator, password: 'x' }, { from });
    const from = times(8, () => newAddress());
    const outcomes = await allAtOnce(from.flatMap((each) => times(4, () => () => guess(each))));
    expect(outcomes.map(outcomeOf).filter((each) => each === 'login_throttled')).toHaveLength(2);
    expect(outcomeOf(await guess(newAddress()))).toBe('login_throttled');
    expect(outcomeOf(await tryWith(operator))).toBe('ok');
  });

  it('has separate limits for a device on which the operator has signed in before', async () => {
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
    expect(outcomeOf(await wrongHere())).toBe('login_throttled');
    // The address has used up its five attempts for this name, so even correct credentials are rejected.
    expect(outcomeOf(await tryWith(operator, { from }))).toBe('login_throttled');
    const withDevice = ({ name, password, ...rest }: TestOperator, off = 1) =>
      desk.client.post(
        '/api/sign_in',
        { name, password, totp: totpCodeOf({ name, password, ...rest }, off) },
        { from, headers: { Cookie: device } },
      );
    expect(outcomeOf(await withDevice(operator))).toBe('ok');
    // The device belongs to one operator, and its own attempts are limited as well.
    expect(outcomeOf(await withDevice({ ...other, password: 'x' }))).toBe('login_throttled');
    const wrong = await allAtOnce(times(6, () => () => withDevice({ ...operator, password: 'x' })));
    expect(wrong.map(outcomeOf)).toContain('login_throttled');
  });

  it('ignores X-Forwarded-For unless DESK_TRUST_PROXY names the proxy', async () => {
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
    expect((await allAtOnce(guesses)).map(outcomeOf)).toContain('login_throttled');
    const [written] = await service.app.get(AuditLog).findBySubject(`operator ${name}`, 1);
    expect(written).toMatchObject({ note: 'from 127.0.0.1' });
    await direct.stop();
  });

  it('locks an address after twenty failures with any names, but accepts correct credentials', async () => {
    const operators = await Promise.all(
      Array.from({ length: 6 }, () => addOperator(desk, 'support')),
    );
    const [operator] = operators as [TestOperator];
    const from = '203.0.113.77';
    const guesses = operators.flatMap((each) => Array<TestOperator>(4).fill(each)).slice(0, 22);
    const tries = guesses.map((each) => () => tryWith({ ...each, password: 'x' }, { from }));
    const outcomes = (await allAtOnce(tries)).map(outcomeOf);
    expect(outcomes.filter((each) => each === 'login_throttled')).toHaveLength(2);
    const [known, nobody] = [await addOperator(desk, 'support'), unique('nobody')];
    for (const name of [known.name, nobody])
      expect(outcomeOf(await tryWith({ ...known, name, password: 'x' }, { from }))).toBe(
        'login_throttled',
      );
    expect(outcomeOf(await tryWith(operator, { from }))).toBe('ok');
  });
});

describe("The desk's session cookie", () => {
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
