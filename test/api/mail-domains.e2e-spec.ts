import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GameServer } from '../../src/features/servers/game-server.entity.js';
import { PASSWORD, unique } from '../support/accounts.js';
import { addServer, createPlayer } from '../support/api/factories.js';
import { type MailApp, startMailApp } from '../support/api/mail-app.js';
import { register, registrationForm, storeCode } from '../support/api/registration.js';

const RELAXED = { rate_limit: { per_minute: 100_000 }, verify: { per_address_hour: 100_000 } };
const PURPOSES = [undefined, 'register', 'email'];
let service: MailApp;
let server: GameServer;

beforeAll(async () => {
  service = await startMailApp({ settings: RELAXED });
  server = await addServer(service.database);
});
afterAll(() => service.stop());

const setDomains = (denied: string[], allowed: string[] = []) =>
  service.changeSettings({
    ...RELAXED,
    registration: { mail_domains_denied: denied, mail_domains_allowed: allowed },
  });
const mailboxAt = (domain: string) => `${unique('m')}@${domain}`;
async function sendCode(email: string, purpose?: string): Promise<string> {
  const { body } = await service.client.post('/api/send_code', { email, purpose });
  return (body.error as string | undefined) ?? 'ok';
}

describe('registration.mail_domains_denied and mail_domains_allowed', () => {
  it.each([
    [['spam.example'], [], 'Spam.Example', 'invalid_request'],
    [['spam.example'], [], 'sub.spam.example', 'ok'],
    [['*.spam.example'], [], 'spam.example', 'ok'],
    [['*.spam.example'], [], 'a.b.spam.example', 'invalid_request'],
    [['*.spam.example'], [], 'notspam.example', 'ok'],
    [['throwaway'], [], 'mailinator.com', 'invalid_request'],
    [['throwaway'], [], 'any.mailinator.com', 'invalid_request'],
    [['throwaway'], [], 'notmailinator.example', 'ok'],
    [[], ['good.example', '*.school.example'], 'good.example', 'ok'],
    [[], ['good.example', '*.school.example'], 'a.school.example', 'ok'],
    [[], ['good.example', '*.school.example'], 'other.example', 'invalid_request'],
    [['bad.school.example'], ['*.school.example'], 'bad.school.example', 'invalid_request'],
  ])(
    'set to %j and %j give a mailbox at %s the result %s',
    async (denied, allowed, domain, outcome) => {
      await setDomains(denied, allowed);
      expect(await sendCode(mailboxAt(domain))).toBe(outcome);
    },
  );

  it('give the same response for a mailbox with and without an account', async () => {
    await setDomains([]);
    const { email } = await createPlayer(service, { email: mailboxAt('late.example') });
    await setDomains(['late.example']);
    for (const purpose of PURPOSES)
      for (const to of [email!, mailboxAt('late.example')]) {
        const { body } = await service.client.post('/api/send_code', { email: to, purpose });
        const { request_id: _, ...answer } = body;
        expect(answer).toEqual({
          code: 40000,
          error: 'invalid_request',
          message: 'The request is not well-formed.',
          details: [{ field: 'email', message: 'must be at a mail domain that is accepted here' }],
        });
      }
    for (const to of [email!, mailboxAt('late.example')])
      expect(await sendCode(to, 'reset')).toBe('ok');
  });

  it('let an owner at a denied domain sign in and reset the password', async () => {
    const { account, email } = await createPlayer(service, { email: mailboxAt('late.example') });
    await setDomains(['late.example']);
    const login = { account: email, password: PASSWORD };
    expect((await service.client.post('/api/login', login)).status).toBe(200);
    expect(await sendCode(email!, 'reset')).toBe('ok');
    const code = await service.mail.codeFor(email!);
    const form = { account, email, code, password: 'a new password' };
    expect((await service.client.post('/api/reset_password', form)).status).toBe(200);
  });

  it('do not let a password-reset code register an account or change a mailbox', async () => {
    await setDomains(['spam.example']);
    const email = mailboxAt('spam.example');
    expect(await sendCode(email, 'reset')).toBe('ok');
    const code = await service.mail.codeFor(email);
    const form = { ...(await registrationForm(service, server.id)), email, code };
    const refused = await register(service, form);
    expect([refused.body.error, refused.body.details[0].field]).toEqual([
      'invalid_request',
      'email',
    ]);
    const { account } = await createPlayer(service);
    const login = await service.client.post('/api/login', { account, password: PASSWORD });
    const { token } = login.body.data;
    const change = { email, code, password: PASSWORD };
    const changed = await service.client.post('/api/account/email', change, { token });
    expect(changed.body.details[0].field).toBe('email');
    // The code was not used up.
    await setDomains([]);
    expect((await service.client.post('/api/account/email', change, { token })).status).toBe(200);
  });

  it('use up no code when a registration is refused', async () => {
    const form = await registrationForm(service, server.id);
    const email = mailboxAt('spam.example');
    const code = await storeCode(service, email);
    await setDomains(['spam.example']);
    for (let tried = 0; tried < 7; tried++)
      expect((await register(service, { ...form, email, code })).body.error).toBe(
        'invalid_request',
      );
    await setDomains([]);
    expect((await register(service, { ...form, email, code })).status).toBe(200);
  });
});
