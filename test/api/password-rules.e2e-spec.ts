import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistrationDay } from '../../src/features/accounts/registration-limits.js';
import type { GameServer } from '../../src/features/servers/game-server.entity.js';
import { newMailbox, unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import type { Answer } from '../support/api/client.js';
import { addServer, createPlayer, passwordHash } from '../support/api/factories.js';
import { register, registrationForm, storeCode } from '../support/api/registration.js';

const RELAXED = { rate_limit: { per_minute: 100_000 }, registration: { per_address_day: null } };
const GOOD = 'quiet-lantern-7';
let service: TestApp;
let server: GameServer;

beforeAll(async () => {
  service = await startApp({ settings: RELAXED });
  server = await addServer(service.database);
});
afterAll(() => service.stop());

const post = (path: string, body: object, token?: string) =>
  service.client.post(`/api/${path}`, body, { token });
const outcome = ({ body }: Answer) =>
  body.error ? `${body.error}: ${body.details?.[0].message ?? ''}` : 'ok';

async function newOwner(password = GOOD) {
  const account = unique('p').slice(0, 16);
  const email = newMailbox();
  await createPlayer(service, { account, email, password: passwordHash(service, password) });
  return { account, email, local: email.split('@')[0]! };
}

type Owner = Awaited<ReturnType<typeof newOwner>>;
type Setter = (owner: Owner, password: string) => Promise<Answer>;

/** Lists the ways to set a password. Each is tried by the owner of a new account. */
const WAYS: Array<[string, Setter]> = [
  [
    'POST /api/register',
    async ({ account, local }, password) => {
      const form = await registrationForm(service, server.id);
      const email = `${local}@other.example`;
      const code = await storeCode(service, email);
      return register(service, { ...form, account: `${account}new`, email, code, password });
    },
  ],
  [
    'POST /api/reset_password',
    async ({ account, email }, password) => {
      const code = await storeCode(service, email);
      return post('reset_password', { account, email, code, password });
    },
  ],
  [
    'POST /api/account/password',
    async ({ account }, password) => {
      const { token } = (await post('login', { account, password: GOOD })).body.data;
      return post('account/password', { old_password: GOOD, password }, token);
    },
  ],
];

describe.each(WAYS)('%s', (_, set) => {
  it('rejects weak passwords with the reason', async () => {
    const owner = await newOwner();
    const { account, local } = owner;
    const weak = 'password_weak: must not';
    for (const [password, expected] of [
      ['Password123', `${weak} be a common password`],
      ['woaini1314', `${weak} be a common password`],
      ['zzZZzzZZzz', `${weak} be one repeated character`],
      ['龙'.repeat(8), `${weak} be one repeated character`],
      [`x${account.toUpperCase()}newx`, `${weak} contain the account`],
      [`x-${local.toUpperCase()}-x`, `${weak} contain the mailbox`],
      ['7letter', 'invalid_request: must be 8 to 64 characters long'],
      ['xy'.repeat(33), 'invalid_request: must be 1 to 64 characters long'],
      [GOOD.replace('7', '8'), 'ok'],
    ] as const)
      expect([password, outcome(await set(owner, password))]).toEqual([password, expected]);
  });
});

describe('password.min_length', () => {
  it('applies to new passwords immediately, while old ones keep working', async () => {
    const { account, email } = await newOwner('123456');
    await service.changeSettings({ ...RELAXED, password: { min_length: 20 } });
    const code = await storeCode(service, email);
    const form = { account, email, code, password: 'nineteen-characters' };
    expect(outcome(await post('reset_password', form))).toBe(
      'invalid_request: must be 20 to 64 characters long',
    );
    expect((await post('login', { account, password: '123456' })).status).toBe(200);
    await service.changeSettings(RELAXED);
    expect(outcome(await post('reset_password', form))).toBe('ok');
  });
});

describe('A new password', () => {
  it("uses up neither the code nor the day's registrations if it is weak", async () => {
    const form = await registrationForm(service, server.id);
    const taken = async () =>
      (await service.database.getRepository(RegistrationDay).find()).map((day) => day.taken);
    const before = await taken();
    for (let tried = 0; tried < 7; tried++) {
      const answer = await register(service, { ...form, password: 'qwertyuiop' });
      expect(answer.body).toMatchObject({ code: 42209, details: [{ field: 'password' }] });
    }
    expect(await taken()).toEqual(before);
    expect((await register(service, form)).status).toBe(200);
  });

  it('may contain a name of up to three letters', async () => {
    const { account } = await createPlayer(service, {
      account: `m${Math.random().toString(36).slice(2, 4)}`,
      email: `abc@${unique('d').replace('_', '-')}.example`,
      password: passwordHash(service, GOOD),
    });
    const { token } = (await post('login', { account, password: GOOD })).body.data;
    const change = { old_password: GOOD, password: `${account} and abc` };
    expect((await post('account/password', change, token)).status).toBe(200);
  });
});
