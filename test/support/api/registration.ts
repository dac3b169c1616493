import { CodeStore } from '../../../src/features/verify/code-store.js';
import type { TestApp } from './app.js';
import { newMailbox, PASSWORD, unique } from '../accounts.js';

const CODE = '123456';
export const WRONG_CODE = '654321';
const ADDRESS = '192.0.2.1';

/** Stores a code as if it had been mailed, which avoids waiting for the e-mail. */
export async function storeCode({ app }: TestApp, email: string): Promise<string> {
  await app.get(CodeStore).store(email, CODE, ADDRESS);
  return CODE;
}

/** Returns a valid body for `POST /api/register`. */
export async function registrationForm(service: TestApp, serverId: number) {
  const email = newMailbox();
  const code = await storeCode(service, email);
  const account = unique('a').slice(0, 20);
  return { account, password: PASSWORD, email, code, server_id: serverId };
}

export function register({ client }: TestApp, form: object, query = '', from = ADDRESS) {
  return client.post(`/api/register${query}`, form, { from });
}
