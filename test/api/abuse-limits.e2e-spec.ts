import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistrationDay } from '../../src/features/accounts/registration-limits.js';
import type { GameServer } from '../../src/features/servers/game-server.entity.js';
import { LoginEventLog } from '../../src/platform/audit/login-event-log.js';
import { newMailbox, PASSWORD, unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { captureLog } from '../support/api/captured-log.js';
import type { Answer } from '../support/api/client.js';
import { createPlayer, addServer } from '../support/api/factories.js';
import { inParallel } from '../support/api/parallel.js';
import {
  register as registerAt,
  registrationForm,
  WRONG_CODE,
} from '../support/api/registration.js';
import { startEventsCommand } from '../support/api/run-command.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { MailServer } from '../support/servers/smtp.js';
import { until } from '../support/until.js';

const SETTINGS = {
  rate_limit: { per_minute: 100_000 },
  verify: { per_address_hour: 2 },
  registration: { per_address_day: 2 },
  login_throttle: {
    account_and_address: { failures: 2, window: 300, lock: 60, max_lock: 200 },
    address: { failures: 4, window: 600, lock: 600 },
    account: { failures: 4, window: 3600, lock: 900 },
  },
};
const MAILED = 'SELECT 1 FROM mail_event WHERE player_id = ? AND kind = ? AND outcome = ?';
let mail: MailServer;
let service: TestApp;
let server: GameServer;
let lastAddress = 0;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({ env: { SMTP_URL: mail.url }, settings: SETTINGS });
  server = await addServer(service.database);
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const newAddress = () => `198.18.5.${++lastAddress}`;
const hex = (number: number) => number.toString(16);
const times = <T>(length: number, make: (number: number) => T) =>
  Array.from({ length }, (_, number) => make(number));
const outcome = ({ body }: Answer) => (body.error as string | undefined) ?? 'ok';
const count = (answers: Answer[], wanted: string) =>
  answers.filter((answer) => outcome(answer) === wanted).length;
const sendCode = (email: string, from: string) =>
  service.client.post('/api/send_code', { email }, { from });

const newForm = async (changes: object = {}) => ({
  ...(await registrationForm(service, server.id)),
  ...changes,
});
const register = (form: object, from: string) => registerAt(service, form, '', from);
const registerNew = async (from: string) => register(await newForm(), from);
const login = (account: string, password: string, from: string) =>
  service.client.post('/api/login', { account, password }, { from });

describe('Account notification e-mails', () => {
  it('stop after 30 password changes in an hour, unlike codes and the link that undoes an e-mail change', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    let { token } = (await login(player.account, PASSWORD, newAddress())).body.data;
    const mailed = async (kind: string, what: string) =>
      (await service.database.query(MAILED, [player.id, kind, what])).length;
    let old_password = PASSWORD;
    for (let change = 0; change < 33; change++) {
      const password = `password ${change}`;
      const answer = await service.client.post(
        '/api/account/password',
        { old_password, password },
        { token },
      );
      ({ token } = answer.body.data);
      old_password = password;
    }
    await until(async () => (await mailed('password-changed', 'held_back')) > 0);
    expect((await sendCode(player.email!, newAddress())).status).toBe(200);
    const email = newMailbox();
    await sendCode(email, newAddress());
    const change = { email, code: await mail.codeFor(email), password: old_password };
    const moved = await service.client.post('/api/account/email', change, { token });
    expect(moved.status).toBe(200);
    await until(async () => (await mailed('email-changed', 'sent')) === 1);
    expect(await mailed('password-changed', 'sent')).toBe(30);
  });
});

describe('POST /api/send_code', () => {
  it('limits a /56 network to twice the limit of a single address', async () => {
    const answers = await inParallel(
      (n) => sendCode(newMailbox(), `2001:db8:56:${hex(n)}::1`),
      2 * 2 + 4,
    );
    expect(count(answers, 'ok')).toBe(4);
    expect(count(answers, 'code_throttled')).toBe(4);
  });

  it('sends one e-mail a minute to an e-mail address, even if its tags and dots differ', async () => {
    const name = unique('tagged').replace('_', '');
    const spellings = [name, `${name}+1`, `${name}+a.b`, `${name[0]}.${name.slice(1)}`];
    const answers = await Promise.all(
      spellings.map((spelling) => sendCode(`${spelling}@mail.example`, newAddress())),
    );
    expect(count(answers, 'ok')).toBe(1);
    expect(count(answers, 'code_throttled')).toBe(3);
    expect(outcome(await sendCode(`${name}@other.example`, newAddress()))).toBe('ok');
  });

  it('enforces verify.per_minute_all, logs one alert and does not count e-mails that were held back', async () => {
    await service.changeSettings({ ...SETTINGS, verify: { per_minute_all: 3 } });
    const log = captureLog();
    // The rate limit window of the earlier e-mails has ended by then.
    const held = await withClockAhead(61, async () => {
      const mailboxes = times(9, newMailbox);
      const answers = await Promise.all(mailboxes.map((email) => sendCode(email, newAddress())));
      expect(count(answers, 'ok')).toBe(3);
      const refused = answers.filter((answer) => outcome(answer) === 'code_throttled');
      expect(refused).toHaveLength(6);
      for (const { body } of refused) {
        expect(body.retry_after).toBeGreaterThan(50);
        expect(body.retry_after).toBeLessThanOrEqual(60);
      }
      return mailboxes[answers.indexOf(refused[0]!)]!;
    });
    const alerts = log.lines.filter(({ level }) => level === 'error');
    log.release();
    expect(alerts).toMatchObject([{ msg: expect.stringContaining('verify.per_minute_all') }]);
    const { text } = await service.client.get('/api/metrics');
    expect(text).toMatch(/^gatehouse_mails_held_back_total 6$/m);
    await withClockAhead(122, async () =>
      expect(outcome(await sendCode(held, newAddress()))).toBe('ok'),
    );
    await service.changeSettings(SETTINGS);
  });
});

describe('Warnings to owners', () => {
  it("stop after 30 closings in an hour without affecting other players' codes", async () => {
    const { id, account } = await createPlayer(service, { email: newMailbox() });
    const { token } = (await login(account, PASSWORD, newAddress())).body.data;
    await service.changeSettings({ ...SETTINGS, verify: { per_minute_all: 50 } });
    // The window of the earlier e-mails has ended by then.
    await withClockAhead(183, async () => {
      for (let closing = 0; closing < 40; closing++) {
        const request = { token, from: newAddress() };
        const body = { password: PASSWORD };
        expect((await service.client.post('/api/account/close', body, request)).status).toBe(200);
        expect((await service.client.post('/api/account/keep', {}, request)).status).toBe(200);
      }
      const mailed = async (what: string) =>
        (await service.database.query(MAILED, [id, 'closing', what])).length;
      await until(async () => (await mailed('held_back')) > 0 && (await mailed('sent')) === 30);
      // Of the 50 e-mails a minute, 5 are reserved for warnings. The other 25 warnings have used the shared quota.
      const codes = await Promise.all(times(30, () => sendCode(newMailbox(), newAddress())));
      expect(count(codes, 'ok')).toBe(45 - 25);
    });
    await service.changeSettings(SETTINGS);
  });

  it('reach the owner of a changed e-mail address although strangers have used up verify.per_minute_all', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const { token } = (await login(player.account, PASSWORD, newAddress())).body.data;
    const email = newMailbox();
    await service.changeSettings({ ...SETTINGS, verify: { per_minute_all: 3 } });
    // The window of the earlier e-mails has ended by then.
    await withClockAhead(244, async () => {
      expect((await sendCode(email, newAddress())).status).toBe(200);
      const strangers = await Promise.all(times(9, () => sendCode(newMailbox(), newAddress())));
      expect(count(strangers, 'code_throttled')).toBe(7);
      const change = { email, code: await mail.codeFor(email), password: PASSWORD };
      const moved = await service.client.post('/api/account/email', change, { token });
      expect(moved.status).toBe(200);
      const sent = [player.id, 'email-changed', 'sent'];
      await until(async () => (await service.database.query(MAILED, sent)).length === 1);
    });
    await service.changeSettings(SETTINGS);
  });
});

describe('POST /api/register', () => {
  it('enforces registration.per_address_day for parallel requests', async () => {
    const days = service.database.getRepository(RegistrationDay);
    const taken = async () => (await days.find()).reduce((sum, day) => sum + day.taken, 0);
    const [from, before] = [newAddress(), await taken()];
    const forms = await inParallel(() => newForm());
    const answers = await inParallel((index) => register(forms[index]!, from));
    expect(count(answers, 'ok')).toBe(2);
    expect(count(answers, 'too_many_requests')).toBe(6);
    expect(await taken()).toBe(before + 2);
    const refused = answers.findIndex((answer) => outcome(answer) !== 'ok');
    expect(answers[refused]!.status).toBe(429);
    expect(answers[refused]!.body.retry_after).toBeGreaterThan(86_000);
    // The code of a rejected request is still valid.
    expect(outcome(await register(forms[refused]!, newAddress()))).toBe('ok');
    await withClockAhead(86_401, async () => expect(outcome(await registerNew(from))).toBe('ok'));
  });

  it('does not count rejected registrations against the address', async () => {
    const [from, { account }] = [newAddress(), await createPlayer(service)];
    for (let time = 0; time < 3; time++) {
      expect(outcome(await register(await newForm({ code: WRONG_CODE }), from))).toBe(
        'code_invalid',
      );
      expect(outcome(await register(await newForm({ account }), from))).toBe('account_taken');
    }
    expect(count([await registerNew(from), await registerNew(from)], 'ok')).toBe(2);
    expect(outcome(await registerNew(from))).toBe('too_many_requests');
  });

  it.each([
    ['/56', 1, (n: number) => `2001:db8:57:${hex(n)}::1`],
    ['/48', 4, (n: number) => `2001:db8:49:${hex(n << 8)}::1`],
  ])('limits a %s network to %i times the limit of a single address', async (_, most, from) => {
    await service.changeSettings({ ...SETTINGS, registration: { per_address_day: 1 } });
    const answers: Answer[] = [];
    for (let n = 0; n < most + 2; n++) answers.push(await registerNew(from(n)));
    expect(count(answers, 'ok')).toBe(most);
    expect(count(answers, 'too_many_requests')).toBe(2);
    await service.changeSettings(SETTINGS);
  });

  it('has no limit per address if registration.per_address_day is null', async () => {
    await service.changeSettings({ ...SETTINGS, registration: { per_address_day: null } });
    const from = newAddress();
    const answers = await Promise.all(times(5, () => registerNew(from)));
    expect(count(answers, 'ok')).toBe(5);
    await service.changeSettings(SETTINGS);
  });
});

describe('An account locked by guesses from many addresses', () => {
  const guess = (account: string) =>
    Promise.all(times(8, () => login(account, 'a guess', newAddress())));
  const mailsTo = (email: string) =>
    Promise.all(mail.mailsTo(email).map(({ raw }) => PostalMime.parse(raw)));
  const newOwner = () => createPlayer(service, { email: newMailbox() });
  const alertsIn = (text: string) =>
    Number(/^gatehouse_guessing_alerts_total (\d+)$/m.exec(text)?.[1] ?? 0);
  const alerts = async () => alertsIn((await service.client.get('/api/metrics')).text);

  it('is reported to its owner once a day, in the log once an hour and in the metrics every time', async () => {
    const { id, account, email } = await newOwner();
    const log = captureLog();
    const told = () =>
      log.lines.filter(({ msg }) => String(msg).startsWith(`player ${id}: many wrong passwords`))
        .length;
    const before = await alerts();
    // The lock lasts 15 minutes, so there are two alerts in the first hour.
    for (const [passed, lines, mails] of [
      [0, 1, 1],
      [1000, 1, 1],
      [5000, 2, 1],
      [88_000, 3, 2],
    ] as const)
      await withClockAhead(passed, async () => {
        expect(count(await guess(account), 'bad_credentials')).toBe(4);
        await until(() => told() === lines && mail.mailsTo(email!).length === mails);
      });
    log.release();
    expect(await alerts()).toBe(before + 4);
    const [{ subject, text, html }] = (await mailsTo(email!)) as [never];
    expect(subject).toContain('Somebody is guessing your password');
    for (const part of [text, html]) {
      expect(part).toContain(account);
      expect(part).toContain('/signin?mode');
    }
  });

  it('is not reported by e-mail if mail.siege is off or if no player has the name', async () => {
    await service.changeSettings({ ...SETTINGS, mail: { siege: false } });
    const [{ account, email }, before] = [await newOwner(), await alerts()];
    await guess(account);
    await guess(unique('nobody'));
    await service.changeSettings(SETTINGS);
    const other = await newOwner();
    await guess(other.account);
    await until(() => mail.mailsTo(other.email!).length === 1);
    expect(mail.mailsTo(email!)).toEqual([]);
    expect(await alerts()).toBe(before + 2);
  });

  it('admits its owner after a password reset, even from an unknown address that is also locked', async () => {
    const { account, email } = await newOwner();
    const here = newAddress();
    for (let time = 0; time < 2; time++) await login(account, 'forgotten', here);
    for (let time = 0; time < 2; time++) await login(unique('nobody'), 'wrong', here);
    await guess(account);
    expect(outcome(await login(account, PASSWORD, here))).toBe('login_throttled');
    expect(outcome(await sendCode(email!, here))).toBe('ok');
    const form = { account, email, code: await mail.codeFor(email!), password: 'a new one' };
    const reset = await service.client.post('/api/reset_password', form, { from: here });
    expect(outcome(reset)).toBe('ok');
    expect(outcome(await login(account, 'a new one', here))).toBe('ok');
    expect(outcome(await login(account, 'a new one', newAddress()))).toBe('login_throttled');
  });
});

describe('gatehouse events block', () => {
  const act = ['--by', 'anna', '--note', 'guesses passwords', '--yes'];

  it('blocks an address until it is unblocked, and gatehouse events guesses shows the block', async () => {
    const events = await startEventsCommand(service);
    const from = newAddress();
    const { account } = await createPlayer(service);
    // The list shows only the addresses with the most guesses.
    for (let time = 0; time < 5; time++) await login(account, 'a guess', from);
    await service.app.get(LoginEventLog).flush();
    const ask = () => service.client.get('/api/config', { from });
    expect((await ask()).status).toBe(200);
    const { data } = await events.run('block', from, '--hours', '2', ...act);
    expect(data).toMatchObject({ address: from });
    await until(async () => (await ask()).body.error === 'ip_denied');
    const { text } = await events.run('guesses');
    expect(text).toMatch(new RegExp(`${from} .*until \\d{4}-`));
    await events.run('unblock', from, ...act);
    await until(async () => (await ask()).status === 200);
    await expect(events.run('unblock', from, ...act)).rejects.toThrow('is not blocked');
    await expect(events.run('block', '127.0.0.1', ...act)).rejects.toThrow('belongs to');
    await expect(events.run('block', from, '--hours', '0', ...act)).rejects.toThrow(
      'a number of hours',
    );
    const network = { data: { address: '2001:db8:7:1::/64' } };
    for (const unblocked of ['2001:db8:7:1::9', '2001:DB8:7:1::/64']) {
      expect(await events.run('block', '2001:db8:7:1::5', ...act)).toMatchObject(network);
      await events.run('unblock', unblocked, ...act);
    }
    await events.stop();
  });
});
