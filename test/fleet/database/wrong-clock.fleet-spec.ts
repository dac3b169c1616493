import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuthenticator, secondStep, ticketFor } from '../../support/api/authenticator.js';
import { Client } from '../../support/api/client.js';
import { type Deployment, freshDeployment } from '../../support/api/deployment.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import {
  type Gatehouse,
  inProject,
  startGatehouse,
} from '../../support/servers/gatehouse-process.js';
import { query } from '../../support/servers/mariadb.js';
import { writeSettingsFile } from '../../support/servers/settings-file.js';
import { MailServer } from '../../support/servers/smtp.js';
import { temporaryFolder } from '../../support/servers/temporary-folder.js';

const HOURS = 3600;
let deployment: Deployment;
let mail: MailServer;
let instances: Gatehouse[];
let right: Client;
let wrong: Client;

beforeAll(async () => {
  deployment = await freshDeployment();
  mail = await MailServer.start();
  const mails = { SMTP_URL: mail.url, MAIL_FROM: 'game@example.com' };
  const env = { ...deployment.env, ...mails, SETTINGS_FILE: writeSettingsFile() };
  const first = await startGatehouse(env);
  await query(
    deployment.url,
    `INSERT INTO server (id, name, address, port) VALUES (1, 'One', '198.51.100.1', 9000)`,
  );
  instances = [first, await startGatehouse({ ...env, ...clockAhead(25 * HOURS) })];
  [right, wrong] = instances.map(({ url }) => new Client(url)) as [Client, Client];
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await mail.stop();
  await deployment.drop();
});

function clockAhead(seconds: number) {
  const file = join(temporaryFolder('clock'), 'clock');
  writeFileSync(file, String(seconds * 1000));
  const preload = inProject('torture/stepped-clock.mjs');
  return { NODE_OPTIONS: `--import=${preload}`, TORTURE_CLOCK: file };
}

/** Requests a code from one instance, registers with it at another one, and returns the account and the token. */
async function registerAt(asked: Client, used: Client) {
  const [account, email] = [unique('p'), `${unique('m')}@example.com`];
  expect((await asked.post('/api/send_code', { email })).status).toBe(200);
  const form = {
    account,
    password: PASSWORD,
    email,
    code: await mail.codeFor(email),
    server_id: 1,
  };
  const answer = await used.post('/api/register', form);
  expect(answer.status, answer.text).toBe(200);
  return { account, email, token: answer.body.data.token as string };
}

describe('An instance whose clock is 25 hours ahead', () => {
  it("accepts the other instances' codes, tickets, tokens and authentications, and they accept its own", async () => {
    for (const [here, there] of [
      [right, wrong],
      [wrong, right],
    ] as const) {
      const { account, token } = await registerAt(here, there);
      expect((await here.get('/api/account', { token })).status).toBe(200);
      const app = await addAuthenticator(here, token);
      const ticket = await ticketFor(here, account);
      const second = await secondStep(there, ticket, { code: app.code() });
      expect(second.status, second.text).toBe(200);
      // The next request requires recent authentication.
      const again = { token: second.body.data.token as string };
      const codes = await here.post('/api/account/recovery_codes', {}, again);
      expect(codes.status, codes.text).toBe(200);
    }
  });

  it('issues codes and tokens that are valid no longer than those of other instances', async () => {
    const { email, token } = await registerAt(wrong, wrong);
    const { exp, iat } = JSON.parse(
      Buffer.from(token.split('.')[1]!, 'base64url').toString(),
    ) as Record<string, number>;
    expect(exp! - iat!).toBe(24 * HOURS);
    const [row] = await query(
      deployment.url,
      `SELECT ? - UNIX_TIMESTAMP() AS token, TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(3), expires_at) AS code
       FROM verify WHERE email = ?`,
      [exp, email],
    );
    expect(Number(row!.token)).toBeLessThanOrEqual(24 * HOURS + 1);
    expect(Number(row!.code)).toBeLessThanOrEqual(60);
  });
});
