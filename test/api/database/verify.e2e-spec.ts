import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../../src/platform/database/database-errors.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { VerificationCode } from '../../../src/features/verify/verification-code.entity.js';
import { CodeInvalid } from '../../../src/features/verify/verify.errors.js';
import { VerifyService } from '../../../src/features/verify/verify.service.js';
import { newMailbox } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import { MailServer } from '../../support/servers/smtp.js';

let mail: MailServer;
let service: TestApp;
let lastAddress = 0;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'Gatehouse <codes@gatehouse.example>' },
    settings: { rate_limit: { per_minute: 100_000 } },
  });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const newAddress = () => `198.18.7.${++lastAddress}`;
const sendCode = (email: string, from = newAddress(), app = service) =>
  app.client.post('/api/send_code', { email }, { from });
const stored = (email: string) =>
  service.database.getRepository(VerificationCode).findOneBy({ email });

/** The address that requested the code of each mailbox. */
const askers = new Map<string, string>();
const askerOf = (email: string) => askers.get(email) ?? '198.18.6.1';

async function redeem(email: string, code: string, from = askerOf(email)) {
  try {
    await service.app.get(VerifyService).redeem(email, code, from, async () => true);
    return { status: 200 };
  } catch (error) {
    if (error instanceof CodeInvalid) return { status: 400 };
    if (isDatabaseUnavailable(error)) return { status: 503 };
    throw error;
  }
}

async function codeFor(email: string, from = newAddress()): Promise<string> {
  askers.set(email, from);
  expect((await sendCode(email, from)).status).toBe(200);
  return mail.codeFor(email);
}

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('POST /api/send_code', () => {
  it('stores the code as a keyed hash only', async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    const row = await stored(email);
    expect(row!.code).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(code);
  });
});

describe('VerifyService.redeem', () => {
  it('accepts a code once under parallel use', async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    const uses = await allAtOnce(times(20, () => () => redeem(email, code)));
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await redeem(email, code)).toEqual({ status: 400 });
  });

  it('stops parallel guesses after five tries', async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    // The right guess comes when more than five others have been answered, whatever the size of the pool.
    const guess = (n: number) => () => redeem(email, n === 22 ? code : wrong(code));
    expect(await allAtOnce(times(24, guess))).toEqual(times(24, () => ({ status: 400 })));
    expect((await stored(email))!.tries).toBe(5);
    expect(await redeem(email, code)).toEqual({ status: 400 });
  });

  it('locks strangers out after five wrong tries, but not the address that requested the code', async () => {
    const [email, asker] = [newMailbox(), '2001:db8:6:1::7'];
    const code = await codeFor(email, asker);
    const guess = (n: number) => () => redeem(email, n === 22 ? code : wrong(code), newAddress());
    expect(await allAtOnce(times(24, guess))).toEqual(times(24, () => ({ status: 400 })));
    expect(await stored(email)).toMatchObject({ tries: 0, triesOfOthers: 5 });
    expect(await redeem(email, code, newAddress())).toEqual({ status: 400 });
    // Another address of the same /64.
    expect(await redeem(email, wrong(code), '2001:db8:6:1::8')).toEqual({ status: 400 });
    expect(await redeem(email, code, '2001:db8:6:1::9')).toEqual({ status: 200 });
  });

  it('rejects a code once a newer one was sent', async () => {
    const email = newMailbox();
    const old = await codeFor(email);
    await service.changeSettings({ verify: { cooldown: 1 } });
    await withClockAhead(61, async () => expect((await sendCode(email)).status).toBe(200));
    const [, next] = mail.mailsTo(email);
    if (next!.code !== old) expect(await redeem(email, old)).toEqual({ status: 400 });
    expect(await redeem(email, next!.code)).toEqual({ status: 200 });
    await service.changeSettings({});
  });

  it("keeps a code unused when the caller's work fails", async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    const failing = service.app.get(VerifyService).redeem(email, code, askerOf(email), async () => {
      throw new Error('something else');
    });
    await expect(failing).rejects.toThrow('something else');
    expect(await stored(email)).toMatchObject({ tries: 0, usedAt: null });
    expect(await redeem(email, code)).toEqual({ status: 200 });
  });

  it('leaves expired codes to be deleted after an hour', async () => {
    const [old, young] = [newMailbox(), newMailbox()];
    const rows = service.database.getRepository(VerificationCode);
    const hash = 'f'.repeat(64);
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await rows.insert([
      { email: old, code: hash, tries: 0, expiresAt: ago(61) },
      { email: young, code: hash, tries: 0, expiresAt: ago(59) },
    ]);
    await service.app.get(ExpiredRowCleaner).deleteAll();
    expect([await stored(old), await stored(young)]).toMatchObject([null, { email: young }]);
  });
});
