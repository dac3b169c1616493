import { createServer, type AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailEvent } from '../../src/platform/audit/audit.entity.js';
import { VerificationCode } from '../../src/features/verify/code-store.js';
import { CodeInvalid } from '../../src/features/verify/verify.errors.js';
import { VerifyService } from '../../src/features/verify/verify.service.js';
import { newMailbox } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer } from '../support/api/factories.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { allAtOnce, times } from '../support/api/parallel.js';
import type { SMTPServerOptions } from 'smtp-server';
import { MailServer } from '../support/servers/smtp.js';
import { until } from '../support/until.js';
import type { MailApp } from '../support/api/mail-app.js';
import { startVerifyApp, verifyRequests, wrongCode } from '../support/api/verify.js';

let service: MailApp;

beforeAll(async () => {
  service = await startVerifyApp();
});
afterAll(() => service.stop());

const { newAddress, sendCode, askerOf, codeFor } = verifyRequests(() => service);

async function redeem(email: string, code: string, from = askerOf(email)): Promise<boolean> {
  try {
    return await service.app.get(VerifyService).redeem(email, code, from, async () => true);
  } catch (error) {
    if (error instanceof CodeInvalid) return false;
    throw error;
  }
}

describe('POST /api/send_code', () => {
  const post = (body: object, headers: Record<string, string> = {}) =>
    service.client.post('/api/send_code', body, { headers, from: newAddress() });

  it('e-mails six digits as text and HTML without a link', async () => {
    const email = newMailbox();
    const answer = await sendCode(email);
    expect(answer.body.data).toEqual({ expires_in: 60, resend_in: 60 });
    const [message] = service.mail.mailsTo(email);
    expect(message).toMatchObject({ from: 'codes@gatehouse.example', to: [email] });
    expect(message!.code).toMatch(/^\d{6}$/);
    expect(message!.raw).toMatch(/Content-Type: text\/plain/i);
    expect(message!.raw).toMatch(/Content-Type: text\/html/i);
    expect(message!.raw).not.toMatch(/https?:|href/i);
  });

  it.each([
    ['register', 'This e-mail already has the account', '注册账号'],
    ['reset', 'The account of this e-mail: ', '重置密码'],
    ['email', 'This e-mail already belongs to the account', '更换邮箱'],
    [undefined, 'The account of this e-mail: ', '验证码'],
  ])(
    'mails the purpose %s and which account uses the e-mail address',
    async (purpose, is, what) => {
      const { account, email } = await createPlayer(service, { email: newMailbox() });
      const stranger = newMailbox();
      for (const to of [email!, stranger])
        expect((await post({ email: to, purpose })).status).toBe(200);
      const mailTo = (to: string) => PostalMime.parse(service.mail.mailsTo(to)[0]!.raw);
      const { subject, text, html } = await mailTo(email!);
      expect(subject).toContain(what);
      expect(text).toContain(is);
      for (const part of [text, html]) expect(part).toContain(account);
      // A visitor who registers has no account yet and must not be told to use another e-mail address.
      expect(
        (await mailTo(stranger)).text!.includes(
          'No account is registered with this e-mail address.',
        ),
      ).toBe(purpose === 'reset');
    },
  );

  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', '请勿告诉任何人', 'Do not share it with anybody'],
    ['en-GB', 'Do not share it with anybody', '请勿告诉任何人'],
  ])('mails only in the language of a visitor with %s', async (language, own, other) => {
    const email = newMailbox();
    await post({ email }, { 'Accept-Language': language });
    const { subject, text, html } = await PostalMime.parse(service.mail.mailsTo(email)[0]!.raw);
    for (const part of [text, html]) {
      expect(part).toContain(own);
      expect(part).not.toContain(other);
    }
    expect(subject).not.toContain('/');
  });

  it('rejects a purpose that it does not know', async () => {
    const { body } = await post({ email: newMailbox(), purpose: 'spam' });
    expect([body.error, body.details[0].field]).toEqual(['invalid_request', 'purpose']);
  });

  it('does not reveal whether the e-mail address has an account', async () => {
    const { email } = await createPlayer(service, { email: newMailbox() });
    const stranger = newMailbox();
    expect((await sendCode(email!)).body).toEqual((await sendCode(stranger)).body);
    expect((await sendCode(email!)).body.error).toBe('code_throttled');
    expect((await sendCode(stranger)).body.error).toBe('code_throttled');
  });

  it.each([
    'no-at.example',
    'two@at@mail.example',
    'a@localhost',
    'a@mail.example,b@mail.example',
    'a@mail.example b@mail.example',
    'Some One <a@mail.example>',
    '<a@mail.example>',
    '"a b"@mail.example',
    'a(comment)@mail.example',
    'a@mail.example\r\nBcc: b@mail.example',
    'a@mail.example\n',
    ' a@mail.example',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a%b@mail.example',
    'a!b@mail.example',
    '-a@mail.example',
    '.a@mail.example',
    'a.@mail.example',
    'a..b@mail.example',
    'a@-mail.example',
    'a@mail..example',
    'a@mail.example.',
    'ä@mail.example',
    'a@mäil.example',
    `${'a'.repeat(65)}@mail.example`,
    `a@${'b'.repeat(64)}.example`,
    `a@${'b.'.repeat(130)}example`,
  ])('rejects %j', async (email) => {
    const before = service.mail.mails.length;
    const answer = await sendCode(email);
    expect(answer.body.error).toBe('invalid_request');
    expect(answer.body.details[0].field).toBe('email');
    expect(service.mail.mails.length).toBe(before);
  });

  it.each(["o'neil+game_1@sub.mail-server.example", 'A.B=c~d&e#f-g@MAIL.EXAMPLE'])(
    'accepts %j and converts it to lower case',
    async (email) => {
      expect((await sendCode(email)).status).toBe(200);
      expect(service.mail.mailsTo(email.toLowerCase())).toHaveLength(1);
      expect((await sendCode(email.toUpperCase())).body.error).toBe('code_throttled');
    },
  );
});

describe('The limits of POST /api/send_code', () => {
  it('allow one e-mail a minute to an e-mail address, even for parallel requests', async () => {
    const email = newMailbox();
    const answers = await allAtOnce(times(20, () => () => sendCode(email)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ body }) => body.error === 'code_throttled');
    expect(refused).toHaveLength(19);
    expect(service.mail.mailsTo(email)).toHaveLength(1);
    for (const { body } of refused) expect(body.retry_after).toBeGreaterThan(50);
    await withClockAhead(61, async () => expect((await sendCode(email)).status).toBe(200));
  });

  it('allow 5 e-mails an hour and 10 a day to an e-mail address', async () => {
    const email = newMailbox();
    const outcomes: string[] = [];
    for (let minute = 0; minute < 3 * 60; minute += 10)
      await withClockAhead(minute * 60, async () => {
        const { body } = await sendCode(email, '198.18.8.1', relaxed);
        outcomes.push(body.error ?? 'sent');
      });
    expect(outcomes.slice(0, 6)).toEqual([...Array<string>(5).fill('sent'), 'code_throttled']);
    expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(10);
  });

  it('allow 20 e-mails an hour from an IP address or an IPv6 /64', async () => {
    const outcomes: string[] = [];
    for (let number = 0; number < 22; number++) {
      const from = `2001:db8:7:7::${number.toString(16)}`;
      outcomes.push((await sendCode(newMailbox(), from)).body.error ?? 'sent');
    }
    expect(outcomes).toEqual([
      ...Array<string>(20).fill('sent'),
      'code_throttled',
      'code_throttled',
    ]);
  });

  it('do not count against the e-mail address if the IP address was rejected', async () => {
    const from = newAddress();
    for (let number = 0; number < 20; number++) await sendCode(newMailbox(), from);
    const email = newMailbox();
    expect((await sendCode(email, from)).body.error).toBe('code_throttled');
    expect((await sendCode(email)).status).toBe(200);
  });

  it('count an e-mail whose code could not be stored', async () => {
    const email = newMailbox();
    await service.database.query('ALTER TABLE verify RENAME TO verify_away');
    const { status } = await sendCode(email);
    await service.database.query('ALTER TABLE verify_away RENAME TO verify');
    expect(status).toBeGreaterThanOrEqual(500);
    expect(service.mail.mailsTo(email)).toHaveLength(1);
    expect((await sendCode(email)).body.error).toBe('code_throttled');
  });

  it('start when the mail server accepts the e-mail', async () => {
    let accept = (): void => undefined;
    const slow = await MailServer.start({
      onData: (stream, _, done) => stream.resume().on('end', () => (accept = () => done())),
    });
    const app = await startApp({ env: { SMTP_URL: slow.url } });
    const email = newMailbox();
    const sent = sendCode(email, newAddress(), app);
    const asked = accept;
    await until(() => accept !== asked);
    await withClockAhead(9, async () => {
      accept();
      expect((await sent).status).toBe(200);
      const { body } = await sendCode(email, newAddress(), app);
      expect(body.retry_after).toBeGreaterThan(55);
    });
    await app.stop();
    await slow.stop();
  });

  let relaxed: TestApp;
  beforeAll(async () => {
    relaxed = await startApp({
      env: { SMTP_URL: service.mail.url },
      settings: { verify: { per_address_hour: 1000 } },
    });
  });
  afterAll(() => relaxed.stop());
});

describe('POST /api/send_code with a failing database', () => {
  it('counts nothing if the database fails before the e-mail is sent', async () => {
    const email = newMailbox();
    const rename = (from: string, to: string) =>
      service.database.query(`ALTER TABLE login_address RENAME COLUMN ${from} TO ${to}`);
    await rename('address', 'renamed');
    try {
      expect((await sendCode(email)).status).toBe(500);
    } finally {
      await rename('renamed', 'address');
    }
    expect((await sendCode(email)).status).toBe(200);
  });
});

describe('POST /api/send_code with a failing mail server', () => {
  /** Checks that the e-mail counts against no limit, so that the next e-mail is sent once the server works. */
  async function expectNothingLeftBehind(app: TestApp, email: string): Promise<void> {
    const rows = await app.database.getRepository(VerificationCode).countBy({ email });
    expect(rows).toBe(0);
    const from = newAddress();
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await sendCode(email, from, app)).body.error).toBe('mail_unavailable');
  }

  /** Checks that the e-mail counts as sent, because it may still arrive, and that no code is stored. */
  async function expectCounted(app: TestApp, email: string): Promise<void> {
    const rows = await app.database.getRepository(VerificationCode).countBy({ email });
    expect(rows).toBe(0);
    const { body } = await sendCode(email, newAddress(), app);
    expect(body.error).toBe('code_throttled');
    expect(body.retry_after).toBeGreaterThan(50);
  }

  it('counts nothing if the server rejects the recipient', async () => {
    const refusing = await MailServer.start({ onRcptTo: refuse });
    const app = await startApp({ env: { SMTP_URL: refusing.url } });
    const email = newMailbox();
    expect((await sendCode(email, newAddress(), app)).body.error).toBe('mail_unavailable');
    await expectNothingLeftBehind(app, email);
    await app.stop();
    await refusing.stop();
  });

  it.each([
    [
      'counts nothing if the server rejects the message permanently (554)',
      554,
      expectNothingLeftBehind,
    ],
    ['counts the e-mail as sent if the server defers the message (451)', 451, expectCounted],
  ])('%s', async (_, responseCode, check) => {
    const refusing = await MailServer.start({ onData: refuseData(responseCode) });
    const app = await startApp({ env: { SMTP_URL: refusing.url } });
    const email = newMailbox();
    const { id: playerId } = await createPlayer(app, { email });
    expect((await sendCode(email, newAddress(), app)).body.error).toBe('mail_unavailable');
    await check(app, email);
    const mails = app.database.getRepository(MailEvent);
    await until(() => mails.existsBy({ playerId }));
    const first = await mails.findOne({ where: { playerId }, order: { id: 'ASC' } });
    expect(first).toMatchObject({ outcome: 'failed', reply: responseCode });
    await app.stop();
    await refusing.stop();
  });

  it('counts nothing if the server is down or drops the connection', async () => {
    const dropping = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => dropping.listen(0, '127.0.0.1', resolve));
    const { port } = dropping.address() as AddressInfo;
    const app = await startApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
    const email = newMailbox();
    await expectNothingLeftBehind(app, email);
    await new Promise((resolve) => dropping.close(resolve));
    await expectNothingLeftBehind(app, email);
    await app.stop();
  });

  it('returns mail_unavailable if no server is configured', async () => {
    const app = await startApp();
    await expectNothingLeftBehind(app, newMailbox());
    await app.stop();
  });
});

describe('VerifyService.redeem', () => {
  it('accepts a code for 60 seconds', async () => {
    const [early, late] = [newMailbox(), newMailbox()];
    const begun = Date.now();
    const [earlyCode, lateCode] = [await codeFor(early), await codeFor(late)];
    const passed = (Date.now() - begun) / 1000;
    await withClockAhead(58 - passed, async () =>
      expect(await redeem(early, earlyCode)).toBe(true),
    );
    await withClockAhead(61, async () => expect(await redeem(late, lateCode)).toBe(false));
  });

  it('accepts a code only for its own e-mail address', async () => {
    const [mine, yours] = [newMailbox(), newMailbox()];
    const code = await codeFor(mine);
    await codeFor(yours);
    expect(await redeem(yours, code)).toBe(false);
    expect(await redeem(newMailbox(), code)).toBe(false);
    expect(await redeem(mine, code)).toBe(true);
  });

  it('rejects a code after five wrong attempts', async () => {
    const [patient, tried] = [newMailbox(), newMailbox()];
    for (const [email, tries] of [
      [patient, 4],
      [tried, 5],
    ] as const) {
      const code = await codeFor(email);
      for (let attempt = 0; attempt < tries; attempt++)
        expect(await redeem(email, wrongCode(code))).toBe(false);
      expect(await redeem(email, code)).toBe(tries === 4);
    }
  });

  it('accepts a code from another address after the requesting one used up its attempts', async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    for (let attempt = 0; attempt < 5; attempt++) await redeem(email, wrongCode(code));
    expect(await redeem(email, code)).toBe(false);
    expect(await redeem(email, code, newAddress())).toBe(true);
  });
});

describe('gatehouse_codes_total', () => {
  it('counts sent and throttled codes', async () => {
    const { text } = await service.client.get('/api/metrics');
    expect(text).toMatch(/^gatehouse_codes_total\{outcome="sent"\} \d+$/m);
    expect(text).toMatch(/^gatehouse_codes_total\{outcome="code_throttled"\} \d+$/m);
  });
});

function refuse(_address: unknown, _session: unknown, callback: (error?: Error) => void): void {
  callback(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
}

function refuseData(responseCode: number): SMTPServerOptions['onData'] {
  return (stream, _session, callback) => {
    stream.resume();
    stream.on('end', () => callback(Object.assign(new Error('no'), { responseCode })));
  };
}
