import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { unique } from '../support/accounts.js';
import { BrowserSession } from '../support/api/browser-session.js';
import { type Answer, Client } from '../support/api/client.js';
import { type Deployment, freshDeployment } from '../support/api/deployment.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { type Redis, startRedis } from '../support/servers/redis.js';
import { MailServer } from '../support/servers/smtp.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

const PASSWORD = 'a-password-nobody-may-read';
const SERVER_ID = 1;
const CAP = 8;
const FRONT_END = 'http://localhost:5173';
let deployment: Deployment;
let connection: Connection;
let redis: Redis;
let mail: MailServer;
let folder: string;
let instances: Gatehouse[];
let clients: Client[];
/** Collects the secrets that must not appear in a log. */
const secrets = new Set<string>([PASSWORD]);

const writeSettings = (changes: object = {}) =>
  writeFileSync(
    join(folder, 'settings.yaml'),
    stringify({
      verify: { per_address_hour: 1000 },
      registration: { per_address_day: null },
      challenge: { mode: 'off' },
      ...changes,
    }),
  );

/** Resolves when both instances use the new settings. */
async function changeSettings(changes?: object): Promise<void> {
  const changesSeen = ({ logs }: Gatehouse) => logs().split('is now in force').length;
  const before = instances.map(changesSeen);
  writeSettings(changes);
  await until(() => instances.every((instance, index) => changesSeen(instance) > before[index]!));
}

const environment = () => ({
  ...deployment.env,
  SMTP_URL: mail.url,
  FRONTEND_URL: FRONT_END,
  SETTINGS_FILE: join(folder, 'settings.yaml'),
  LOG_LEVEL: 'trace',
});

beforeAll(async () => {
  [deployment, redis, mail] = await Promise.all([
    freshDeployment(),
    startRedis(),
    MailServer.start(),
  ]);
  folder = temporaryFolder('fleet');
  writeSettings();
  const env = { ...environment(), REDIS_URL: redis.url };
  instances = await Promise.all([startGatehouse(env), startGatehouse(env)]);
  clients = instances.map(({ url }) => new Client(url));
  // An instance is ready before it has connected to Redis.
  for (const client of clients)
    await until(async () => (await client.get('/api/health/ready')).body.data?.redis === 'up');
  connection = await createConnection(deployment.url);
  await connection.query(
    `INSERT INTO server (id, name, address, port) VALUES (${SERVER_ID}, 'z', 'server.example', 7000)`,
  );
});
afterAll(async () => {
  await connection.end();
  await Promise.all(instances.map((instance) => instance.stop()));
  await Promise.all([redis.stop(), mail.stop(), deployment.drop()]);
  removeFolder(folder);
});

let turn = 0;
/** Alternates between the instances, like a load balancer. */
const next = () => clients[turn++ % clients.length]!;

function post(path: string, body: object): Promise<Answer> {
  return next().post(path, body);
}

async function newForm() {
  const email = `${unique('m')}@mail.example`;
  expect((await post('/api/send_code', { email })).status).toBe(200);
  const code = await mail.codeFor(email);
  secrets.add(code);
  const account = unique('a').slice(0, 20);
  return { account, password: PASSWORD, email, code, server_id: SERVER_ID };
}

async function newAccount(): Promise<{ account: string; token: string }> {
  const form = await newForm();
  const { token } = (await post('/api/register', form)).body.data;
  secrets.add(token);
  return { account: form.account, token };
}

async function count(sql: string, values: string[] = []): Promise<number> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, values);
  return Number(rows[0]!.n);
}

/** Counts the responses with the expected outcome. A busy machine may return 503, which must have no effect. */
function countOf(wanted: string, answers: Answer[], refusal: string): number {
  const outcomes = answers.map(({ body }) => String(body.error ?? 'ok'));
  const others = outcomes.filter((outcome) => outcome !== wanted);
  for (const outcome of others) expect([refusal, 'service_unavailable']).toContain(outcome);
  return outcomes.length - others.length;
}

describe('Two instances sharing one Redis', () => {
  it('check no more of 500 parallel guesses than the limit allows', async () => {
    const { account } = await newAccount();
    const guess = () => post('/api/login', { account, password: 'a guess' });
    const answers = await Promise.all(Array.from({ length: 500 }, guess));
    // Requests that got a 503 left some of the limit unused.
    await until(async () => {
      const answer = await guess();
      answers.push(answer);
      return answer.body.error === 'login_throttled';
    });
    expect(countOf('bad_credentials', answers, 'login_throttled')).toBe(5);
    for (const client of clients) {
      const answer = await client.post('/api/login', { account, password: PASSWORD });
      expect(answer.body.error).toBe('login_throttled');
      expect(answer.body.retry_after).toBeLessThanOrEqual(60);
    }
  });

  it('send one code to an e-mail address even if both receive a request at the same time', async () => {
    const email = `${unique('m')}@mail.example`;
    const asked = Array.from({ length: 20 }, () => post('/api/send_code', { email }));
    const sent = countOf('ok', await Promise.all(asked), 'code_throttled');
    // A request whose e-mail was sent may get a 503 if its code could not be stored.
    expect(mail.mailsTo(email).length).toBeGreaterThanOrEqual(sent);
    expect(mail.mailsTo(email).length).toBeLessThanOrEqual(1);
    for (const { code } of mail.mailsTo(email)) secrets.add(code);
  });

  it('create one account for a code that is used 100 times in parallel', async () => {
    const form = await newForm();
    const register = () => post('/api/register', { ...form, account: unique('a').slice(0, 20) });
    const answers = await Promise.all(Array.from({ length: 100 }, register));
    const registered = countOf('ok', answers, 'code_invalid');
    const again = await register();
    expect(again.body.error ?? 'ok').toBe(registered === 0 ? 'ok' : 'code_invalid');
    expect(await count('SELECT COUNT(*) n FROM player WHERE email = ?', [form.email])).toBe(1);
  });

  it(`never exceed a daily cap of ${CAP} with ${3 * CAP} parallel registrations, and rejected ones do not count`, async () => {
    const today = 'SELECT COALESCE(SUM(taken), 0) n FROM registration_day';
    const before = await count(today);
    const players = await count('SELECT COUNT(*) n FROM player');
    const forms: Array<Awaited<ReturnType<typeof newForm>>> = [];
    while (forms.length < 3 * CAP)
      forms.push(...(await Promise.all(Array.from({ length: 4 }, newForm))));
    await changeSettings({ day_max_reg: before + CAP });
    const answers = await Promise.all(forms.map((form) => post('/api/register', form)));
    const registered = countOf('ok', answers, 'registration_cap_reached');
    expect(registered).toBeGreaterThan(0);
    expect(registered).toBeLessThanOrEqual(CAP);
    expect(await count('SELECT COUNT(*) n FROM player')).toBe(players + registered);
    expect(await count(today)).toBe(before + registered);
    await changeSettings();
    const refused = forms[answers.findLastIndex(({ status }) => status !== 200)]!;
    expect((await post('/api/register', refused)).status).toBe(200);
  });

  it('both reject a token after a password reset at one of them', async () => {
    const { account, token } = await newAccount();
    // This form uses another e-mail address because the first address cannot request another code yet.
    const { email, code } = await newForm();
    await connection.query('UPDATE player SET email = ? WHERE account = ?', [email, account]);
    const password = `${PASSWORD}-2`;
    secrets.add(password);
    const answer = await clients[0]!.post('/api/reset_password', {
      account,
      email,
      code,
      password,
    });
    expect(answer.status).toBe(200);
    for (const client of clients) {
      const { body } = await client.post('/api/check', { account, token });
      expect(body.error).toBe('token_invalid');
    }
  });

  it('both reject a session right after it was signed out at one of them', async () => {
    const { account } = await newAccount();
    const [here, there] = clients.map((client) => new BrowserSession(client, FRONT_END));
    await here!.signIn(account, PASSWORD);
    there!.cookie = here!.cookie;
    expect((await there!.refresh()).status).toBe(200);
    for (const secret of [here!.cookie, there!.cookie, here!.token]) secrets.add(secret);
    const entered = () => clients[1]!.post('/api/check', { account, token: here!.token });
    expect((await entered()).status).toBe(200);
    const { token } = here!;
    expect((await clients[0]!.send('POST', '/api/logout', { token })).status).toBe(200);
    expect((await entered()).body.error).toBe('token_invalid');
    expect((await there!.refresh()).body.error).toBe('session_ended');
  });

  it('return the same new cookie to many tabs that refresh in parallel', async () => {
    const { account } = await newAccount();
    const browser = new BrowserSession(clients[0]!, FRONT_END);
    await browser.signIn(account, PASSWORD);
    const tabs = Array.from({ length: 20 }, (_, tab) => {
      return new BrowserSession(clients[tab % 2]!, FRONT_END, browser.cookie);
    });
    const refreshed = await Promise.all(tabs.map((tab) => tab.refresh()));
    expect(countOf('ok', refreshed, 'service_unavailable')).toBeGreaterThan(0);
    const cookies = new Set(tabs.map(({ cookie }) => cookie));
    cookies.delete(browser.cookie);
    expect(cookies.size).toBe(1);
    for (const secret of [browser.cookie, ...cookies]) secrets.add(secret);
  });

  it('write no password, code or token into their logs at level trace', () => {
    // A process id may equal a code, so process ids are removed.
    const logs = instances
      .map(({ logs: read }) => read())
      .join('\n')
      .replace(/"pid":\d+/g, '');
    expect(logs).toContain('/api/register');
    expect(secrets.size).toBeGreaterThan(3 * CAP);
    for (const secret of secrets) {
      // A code's six digits may also be part of a time or an id.
      const found = new RegExp(`(?<![\\w.-])${secret}(?![\\w.-])`).test(logs);
      expect(found, 'a secret is in the log').toBe(false);
    }
  });
});
