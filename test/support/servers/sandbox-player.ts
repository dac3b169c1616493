import { expect } from 'vitest';
import { Client } from '../api/client.js';
import { until } from '../until.js';

export const PASSWORD = 'secret-1';

/** Requests a code and reads it from the sandbox's mailbox. */
async function codeFor(client: Client, email: string): Promise<string> {
  expect((await client.post('/api/send_code', { email })).status).toBe(200);
  let code: string | undefined;
  await until(async () => {
    const { text } = await client.get('/sandbox/mail');
    code = new RegExp(`${email}</strong>[^]*?<h2>(\\d{6})`).exec(text)?.[1];
    return code !== undefined;
  });
  return code!;
}

/** Registers with the code from the sandbox's mailbox and returns the token. */
export async function registerInSandbox(client: Client, account: string): Promise<string> {
  const email = `${account}@example.com`;
  const code = await codeFor(client, email);
  const form = { account, password: PASSWORD, email, code, server_id: 1 };
  return (await client.post('/api/register', form)).body.data.token as string;
}

/** Makes the sandbox's game server fail in this way from now on. */
export async function setGameServerFault(client: Client, fault: string): Promise<void> {
  await client.send('POST', '/sandbox/gm', {
    body: `fault=${fault}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
}
