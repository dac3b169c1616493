import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorSessions } from '../../../src/operators/actions/operators/operator-sessions.js';
import { Operator } from '../../../src/operators/actions/operators/operator.entity.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import {
  addOperator,
  deskUser,
  type DeskUser,
  sameSessionAt,
  signIn,
  startDesk,
  type TestDesk,
  totpCodeOf,
} from '../../support/api/desk.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

let service: TestApp;
let desk: TestDesk;
let otherDesk: TestDesk;
let admin: DeskUser;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  otherDesk = await startDesk(service);
  admin = await deskUser(desk, 'admin');
});
afterAll(async () => {
  await desk.stop();
  await otherDesk.stop();
  await service.stop();
});

const note = 'ticket 31';
const list = async () => (await admin.get('/api/operators')).body.data;
const rowOf = async (name: string) =>
  (await list()).operators.find((row: { name: string }) => row.name === name);
const actsOf = async (name: string) =>
  (await service.app.get(AuditLog).findBySubject(`operator ${name}`, 10)).map(
    ({ act, operator }) => `${act} ${operator}`,
  );
const act = (who: DeskUser, name: string, what: string) =>
  who.post(`/api/operators/${name}/${what}`, { note });
const isActive = async (user: DeskUser) => (await user.get('/api/session')).status === 200;

describe('/api/operators', () => {
  it('adds an operator with an initial password', async () => {
    const name = unique('op');
    const { status, body } = await admin.post('/api/operators', { name, role: 'support', note });
    expect([status, body.data.name]).toEqual([200, name]);
    expect(await rowOf(name)).toMatchObject({
      role: 'support',
      state: desk.embedded ? 'active' : 'invited',
    });
    const { password } = body.data;
    const begun = await desk.client.post('/api/sign_in', { name, password });
    expect([begun.status, 'enrolment' in begun.body.data]).toEqual([200, !desk.embedded]);
    expect((await actsOf(name)).at(-1)).toBe(`operator.add ${admin.name}`);
    const again = await admin.post('/api/operators', { name, role: 'support', note });
    expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining(name) } });
    for (const bad of [
      { name: 'Anna', role: 'support', note },
      { name: 'a', role: 'support', note },
      { name: 'anna', role: 'root', note },
      { name: 'anna', role: 'support' },
    ])
      expect((await admin.post('/api/operators', bad)).body.error).toBe('invalid_request');
  });

  it("disables, enables and resets another operator and ends that operator's sessions", async () => {
    const user = await deskUser(desk, 'support');
    expect(await rowOf(user.name)).toMatchObject({ state: 'active' });
    expect((await act(admin, user.name, 'disable')).status).toBe(200);
    expect([await isActive(user), (await rowOf(user.name)).state]).toEqual([false, 'disabled']);
    expect((await act(admin, user.name, 'disable')).status).toBe(409);
    expect((await act(admin, user.name, 'enable')).status).toBe(200);
    const { password } = (await act(admin, user.name, 'reset')).body.data;
    expect((await desk.client.post('/api/sign_in', { name: user.name, password })).status).toBe(
      200,
    );
    expect((await actsOf(user.name)).filter((each) => each.endsWith(admin.name))).toEqual([
      `operator.reset ${admin.name}`,
      `operator.enable ${admin.name}`,
      `operator.disable ${admin.name}`,
    ]);
    for (const nobody of ['nobody.at.all', 'N%C3%B6', 'x'])
      expect([404, 409]).toContain((await act(admin, nobody, 'disable')).status);
  });

  it("rejects actions on one's own account, and lets only one of two admins disable the other", async () => {
    for (const what of ['disable', 'reset', 'enable'])
      expect((await act(admin, admin.name, what)).body.message).toContain('your own account');
    const [anna, bert] = [await deskUser(desk, 'admin'), await deskUser(desk, 'admin')];
    const answers = await Promise.all([
      act(anna, bert.name, 'disable'),
      act(sameSessionAt(otherDesk, bert), anna.name, 'disable'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const states = [await rowOf(anna.name), await rowOf(bert.name)].map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['active', 'disabled']));
  });

  it('rejects adding, resetting or enabling an operator under four-eyes approval', async () => {
    const user = await deskUser(desk, 'treasury');
    const settings = desk.app.get(Settings);
    const { desk: before } = settings.current;
    try {
      settings.current.desk = Object.assign({}, before, { four_eyes_above: 1 });
      const added = await admin.post('/api/operators', { name: unique('o'), role: 'admin', note });
      const others = ['reset', 'enable'].map((name) => act(admin, user.name, name));
      for (const answer of [added, ...(await Promise.all(others))])
        expect(answer).toMatchObject({
          status: 409,
          body: { message: expect.stringContaining('four-eyes approval') },
        });
      expect(await list()).toMatchObject({ may_admit: false });
      expect(await isActive(user)).toBe(true);
    } finally {
      settings.current.desk = before;
    }
    expect(await list()).toMatchObject({ may_admit: true });
  });
});

describe('POST /api/password', () => {
  it("changes the operator's password, given the old one and a new code, and ends other sessions", async () => {
    const operator = await addOperator(desk, 'support');
    const mine = await signIn(desk, operator);
    const { id } = await service.database.getRepository(Operator).findOneByOrFail({
      name: operator.name,
    });
    const sessions = desk.app.get(OperatorSessions);
    const elsewhere = await sessions.create(service.database.manager, id, '192.0.2.9');
    const own = 'a password of my own';
    const body = { password: operator.password, new_password: own, totp: totpCodeOf(operator, 1) };
    const change = (changes: object) => mine.post('/api/password', { ...body, ...changes });
    for (const wrong of [{ password: 'wrong' }, ...(desk.embedded ? [] : [{ totp: '000000' }])])
      expect((await change(wrong)).body.error).toBe('bad_credentials');
    for (const bad of [{ new_password: 'short' }, { new_password: operator.password }])
      expect((await change(bad)).body.error).toBe('invalid_request');
    expect(await sessions.find(elsewhere)).toBeDefined();
    expect((await change({})).status).toBe(200);
    expect(await sessions.find(elsewhere)).toBeUndefined();
    expect((await mine.get('/api/session')).status).toBe(200);
    expect((await actsOf(operator.name))[0]).toBe(`operator.password ${operator.name}`);
    const { name } = operator;
    const signInWith = (password: string) =>
      desk.client.post('/api/sign_in', { name, password, totp: totpCodeOf(operator) });
    expect((await signInWith(operator.password)).status).toBe(401);
    await withClockAhead(60, async () => expect((await signInWith(own)).status).toBe(200));
  });
});
