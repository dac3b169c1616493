import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../../src/platform/database/database-errors.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { CONNECTION_TIMEOUT_MS } from '../../../src/platform/database/time-limits.js';
import { VerificationCode } from '../../../src/features/verify/verification-code.entity.js';
import { CodeInvalid } from '../../../src/features/verify/verify.errors.js';
import { VerifyService } from '../../../src/features/verify/verify.service.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { unique } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { retryIfTooSlow } from '../../support/run/slow-machine.js';
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

const newMailbox = () => `${unique('m')}@mail.example`;
const newAddress = () => `198.18.7.${++lastAddress}`;
const sendCode = (email: string, from = newAddress(), app = service) =>
  app.client.post('/api/send_code', { email }, { from });
const stored = (email: string) =>
  service.database.getRepository(VerificationCode).findOneBy({ email });

/** Who asked for the code of a mailbox. */
const askers = new Map<string, string>();
const askerOf = (email: string) => askers.get(email) ?? '198.18.6.1';

/** Whether the code was taken; it is the registration and the reset that use codes over HTTP. */
async function redeem(email: string, code: string, from = askerOf(email)): Promise<boolean> {
  const since = performance.now();
  try {
    return await service.app.get(VerifyService).redeem(email, code, from, async () => true);
  } catch (error) {
    if (error instanceof CodeInvalid) return false;
    retryIfTooSlow(
      isDatabaseUnavailable(error) && performance.now() - since > CONNECTION_TIMEOUT_MS,
    );
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
    const asked = Array.from({ length: 40 }, () => redeem(email, code));
    const settled = await Promise.allSettled(asked);
    const served = settled.filter((use) => use.status === 'fulfilled' && use.value);
    expect(served.length).toBeLessThanOrEqual(1);
    const uses = await Promise.all(asked);
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await redeem(email, code)).toBe(false);
  });

  it('stops parallel guesses after five tries', async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    const guesses = Array.from({ length: 40 }, (_, guess) => (guess === 35 ? code : wrong(code)));
    const found = await Promise.all(guesses.map((guess) => redeem(email, guess)));
    expect(found).not.toContain(true);
    expect((await stored(email))!.tries).toBe(5);
    expect(await redeem(email, code)).toBe(false);
  });

  it('locks strangers out after five wrong tries, but not the address that requested the code', async () => {
    const [email, asker] = [newMailbox(), '2001:db8:6:1::7'];
    const code = await codeFor(email, asker);
    const guesses = Array.from({ length: 40 }, (_, guess) =>
      redeem(email, guess === 35 ? code : wrong(code), newAddress()),
    );
    expect(await Promise.all(guesses)).not.toContain(true);
    expect(await stored(email)).toMatchObject({ tries: 0, triesOfOthers: 5 });
    expect(await redeem(email, code, newAddress())).toBe(false);
    // Another address of the same /64.
    expect(await redeem(email, wrong(code), '2001:db8:6:1::8')).toBe(false);
    expect(await redeem(email, code, '2001:db8:6:1::9')).toBe(true);
  });

  it('rejects a code once a newer one was sent', async () => {
    const email = newMailbox();
    const old = await codeFor(email);
    await service.changeSettings({ verify: { cooldown: 1 } });
    await withClockAhead(61, async () => expect((await sendCode(email)).status).toBe(200));
    const [, next] = mail.mailsTo(email);
    if (next!.code !== old) expect(await redeem(email, old)).toBe(false);
    expect(await redeem(email, next!.code)).toBe(true);
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
    expect(await redeem(email, code)).toBe(true);
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
