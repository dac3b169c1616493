import { expect } from 'vitest';
import { type MailApp, startMailApp } from './mail-app.js';

export function startVerifyApp(): Promise<MailApp> {
  return startMailApp({
    env: { MAIL_FROM: 'Gatehouse <codes@gatehouse.example>' },
    settings: { rate_limit: { per_minute: 100_000 } },
  });
}

/** Returns functions that request codes from the service that `beforeAll` starts. */
export function verifyRequests(service: () => MailApp) {
  let lastAddress = 0;
  const askers = new Map<string, string>();

  const newAddress = () => `198.18.7.${++lastAddress}`;
  const sendCode = (email: string, from = newAddress(), app: Pick<MailApp, 'client'> = service()) =>
    app.client.post('/api/send_code', { email }, { from });
  /** Returns the IP address that requested a code for the e-mail address. */
  const askerOf = (email: string) => askers.get(email) ?? '198.18.6.1';

  async function codeFor(email: string, from = newAddress()): Promise<string> {
    askers.set(email, from);
    expect((await sendCode(email, from)).status).toBe(200);
    return service().mail.codeFor(email);
  }

  return { newAddress, sendCode, askerOf, codeFor };
}

export function wrongCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
