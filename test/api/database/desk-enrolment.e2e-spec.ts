import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { OperatorActions } from '../../../src/operators/actions/operators/operator-actions.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { captureLog } from '../../support/api/captured-log.js';
import type { Answer } from '../../support/api/client.js';
import {
  cookieOf,
  signedIn,
  startDesk,
  type TestDesk,
  totpCodeOf,
} from '../../support/api/desk.js';
import { allAtOnce, times } from '../../support/api/parallel.js';

const WHO = { by: 'max', note: 'joins' };
const OWN = 'a password of her own';

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
const post = (path: string, body: object, at = desk): Promise<Answer> =>
  at.client.post(path, body, { from: `198.51.100.${++addresses % 250}` });

async function added() {
  const name = unique('op');
  return { name, password: await acts.add(WHO, name, 'support') };
}

describe("An operator's first sign-in", () => {
  it('requires an authenticator app, except on the embedded database', async () => {
    const answer = await post('/api/sign_in', await added());
    expect(answer.status).toBe(200);
    expect('enrolment' in answer.body.data).toBe(!desk.embedded);
  });

  if (inject('database').kind === 'embedded') return;

  it('enrols the operator on every other database and invalidates the initial password', async () => {
    const { name, password } = await added();
    const begun = await post('/api/sign_in', { name, password });
    expect(begun.headers.getSetCookie()).toEqual([]);
    const { totp_secret: totpSecret, totp_uri: uri } = begun.body.data.enrolment;
    expect(uri).toContain(`secret=${totpSecret}`);
    const code = (off = 0) => totpCodeOf({ name, password, totpSecret }, off);
    const form = { name, password, new_password: OWN, totp_secret: totpSecret, totp: code() };

    for (const wrong of [{ password: 'x' }, { totp: '000000' }, { totp: undefined }])
      expect((await post('/api/enrol', { ...form, ...wrong })).body.error).toBe('bad_credentials');
    for (const odd of [{ new_password: 'short' }, { new_password: password }, { totp_secret: 'x' }])
      expect((await post('/api/enrol', { ...form, ...odd })).body.error).toBe('invalid_request');

    // The attempts above took a while, so a new code is needed.
    const last = { ...form, totp: code() };
    const answers = await allAtOnce(times(4, () => () => post('/api/enrol', last)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const session = signedIn(desk, cookieOf(done[0]!), done[0]!.body.data.token as string);
    expect((await session.get('/api/session')).status).toBe(200);

    const [row] = await service.database.query('SELECT * FROM operator WHERE name = ?', [name]);
    expect(JSON.stringify(row)).not.toContain(totpSecret);
    expect((await post('/api/sign_in', { name, password, totp: code(1) })).status).toBe(401);
    const signIn = { name, password: OWN, totp: code(1) };
    expect((await post('/api/sign_in', signIn)).body.data.operator).toEqual({
      name,
      role: 'support',
    });
    const events = await service.app.get(AuditLog).findBySubject(`operator ${name}`, 10);
    expect(events.map(({ act }) => act)).toEqual([
      'operator.sign-in',
      'operator.enrol',
      'operator.add',
    ]);
  });

  it('starts over after a reset, even if JWT_SECRET was replaced', async () => {
    const { name, password } = await added();
    const { totp_secret: totpSecret } = (await post('/api/sign_in', { name, password })).body.data
      .enrolment;
    const code = (off = 0) => totpCodeOf({ name, password, totpSecret }, off);
    const form = { name, password, new_password: OWN, totp_secret: totpSecret, totp: code() };
    expect((await post('/api/enrol', form)).status).toBe(200);
    const other = await startDesk(service, { JWT_SECRET: 'another secret of at least 32 bytes!' });
    const log = captureLog();
    const refused = await post('/api/sign_in', { name, password: OWN, totp: code(1) }, other);
    log.release();
    expect(refused.body.error).toBe('bad_credentials');
    expect(log.text).toContain(`gatehouse operator reset ${name}`);
    const again = await acts.reset(WHO, name);
    const answer = await post('/api/sign_in', { name, password: again }, other);
    expect(answer.body.data.enrolment.totp_secret).not.toBe(totpSecret);
    await other.stop();
  });
});
