import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirstOperator } from '../../../src/operators/desk/access/first-operator.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { startDesk, type TestDesk, totpCodeOf } from '../../support/api/desk.js';
import { startOperatorCommand, type TestCommand } from '../../support/api/run-command.js';

let service: TestApp;
let desk: TestDesk;
let command: TestCommand;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  command = await startOperatorCommand(service);
});
afterAll(async () => {
  await command.stop();
  await desk.stop();
  await service.stop();
});

const run = (...args: string[]) => command.run(...args);
const act = (...args: string[]) => run(...args, '--by', 'max', '--note', 'ticket 9', '--yes');

/** Signs in with the password that the command printed, and enrols first unless the database is embedded. */
async function firstSignIn(name: string, password: string): Promise<number> {
  const answer = await desk.client.post('/api/sign_in', { name, password });
  if (desk.embedded || answer.status !== 200) return answer.status;
  const totpSecret = answer.body.data.enrolment.totp_secret as string;
  const body = {
    name,
    password,
    new_password: `own ${password}`,
    totp_secret: totpSecret,
    totp: totpCodeOf({ name, password, totpSecret }),
  };
  return (await desk.client.post('/api/enrol', body)).status;
}

const passwordOf = ({ data }: { data: unknown }) => (data as { password: string }).password;

describe('FirstOperator', () => {
  it('creates an admin only on the embedded database, and shows the password until it is changed', async () => {
    const first = desk.app.get(FirstOperator);
    const told = await Promise.all([first.ensureSignIn(), first.ensureSignIn()]);
    if (!desk.embedded) {
      expect(told).toEqual([undefined, undefined]);
      expect((await run('list')).text).toBe('There are none.');
      return;
    }
    const [{ name, password }, again] = told as [{ name: string; password: string }, unknown];
    expect([name, again]).toEqual(['admin', { name, password }]);
    expect((await desk.client.post('/api/sign_in', { name, password })).body.data.operator).toEqual(
      {
        name: 'admin',
        role: 'admin',
      },
    );
    await act('reset', 'admin');
    expect(await first.ensureSignIn()).toBeUndefined();
    expect((await desk.client.post('/api/sign_in', { name, password })).status).toBe(401);
  });
});

describe('gatehouse operator', () => {
  it('adds, resets, disables and enables an operator, and audits each step', async () => {
    const added = await act('add', 'anna.b-1', '--role', 'support');
    const first = passwordOf(added);
    expect(first).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    expect(added.text).toContain(first);
    // The embedded desk skips the enrolment, so the list cannot show who has never signed in.
    const state = desk.embedded ? 'active' : 'never signed in';
    expect((await run('list')).text).toMatch(new RegExp(`^anna\\.b-1 +support +${state} `, 'm'));
    expect(await firstSignIn('anna.b-1', first)).toBe(200);
    expect((await run('list')).text).toMatch(/^anna\.b-1 +support +active /m);

    const second = passwordOf(await act('reset', 'anna.b-1'));
    expect(await firstSignIn('anna.b-1', first)).toBe(401);

    await act('set-role', 'anna.b-1', '--role', 'treasury');
    await act('disable', 'anna.b-1');
    expect(await firstSignIn('anna.b-1', second)).toBe(401);
    await act('enable', 'anna.b-1');
    expect(await firstSignIn('anna.b-1', second)).toBe(200);

    const [{ password: hash }] = await service.database.query(
      "SELECT password FROM operator WHERE name = 'anna.b-1'",
    );
    expect(hash).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);

    const list = await run('list', '--json');
    expect(list.data).toContainEqual({
      name: 'anna.b-1',
      role: 'treasury',
      state: 'active',
      created_at: expect.any(Date),
    });
    expect(JSON.stringify(list.data) + list.text).not.toMatch(/scrypt|[A-Z2-7]{32}/);

    const written = await service.app.get(AuditLog).findBySubject('operator anna.b-1', 20);
    const acts = written.filter(({ operator }) => operator === 'max').toReversed();
    expect(acts.map(({ act: name }) => name)).toEqual([
      'operator.add',
      'operator.reset',
      'operator.set-role',
      'operator.disable',
      'operator.enable',
    ]);
    for (const { note } of acts) expect(note).toBe('ticket 9');
    expect(acts[1]).toMatchObject({ before: { sessions: 1 }, after: { sessions: 0 } });
    expect(JSON.stringify(written)).not.toMatch(new RegExp(`${first}|${second}`));
  });

  it('adds one operator when the same name is added in parallel', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, () => act('add', 'twin', '--role', 'support')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(act('add', 'twin', '--role', 'admin')).rejects.toThrow(
      'operator twin already exists',
    );
  });
});
