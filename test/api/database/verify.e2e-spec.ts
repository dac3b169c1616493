import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../../src/platform/database/database-errors.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { VerificationCode } from '../../../src/features/verify/code-store.js';
import { CodeInvalid } from '../../../src/features/verify/verify.errors.js';
import { VerifyService } from '../../../src/features/verify/verify.service.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { startVerifyApp, verifyRequests, wrongCode } from '../../support/api/verify.js';

let service: MailApp;

beforeAll(async () => {
  service = await startVerifyApp();
});
afterAll(() => service.stop());

const { newAddress, sendCode, askerOf, codeFor } = verifyRequests(() => service);
const stored = (email: string) =>
  service.database.getRepository(VerificationCode).findOneBy({ email });

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

describe('POST /api/send_code', () => {
  it('stores the code only as a keyed hash', async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    const row = await stored(email);
    expect(row!.code).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(code);
  });

  it('has a separate quota of codes for each address from which the account has signed in', async () => {
    const { account, email } = await createPlayer(service, { email: newMailbox() });
    const [home, phone] = [newAddress(), newAddress()];
    for (const from of [home, phone])
      await service.client.post('/api/login', { account, password: PASSWORD }, { from });
    let minutes = 0;
    const askSixTimes = async (from: () => string) => {
      const outcomes: string[] = [];
      for (let n = 0; n < 6; n++) {
        const answer = await withClockAhead(61 * ++minutes, () => sendCode(email!, from()));
        outcomes.push(answer.body.error ?? 'ok');
      }
      return outcomes;
    };
    const five = [...Array<string>(5).fill('ok'), 'code_throttled'];
    expect(await askSixTimes(newAddress)).toEqual(five);
    expect(await askSixTimes(() => home)).toEqual(five);
    expect(await askSixTimes(() => phone)).toEqual(five);
  });

  it('does not make the owner wait because a stranger requested a code', async () => {
    const { account, email } = await createPlayer(service, { email: newMailbox() });
    const home = newAddress();
    await service.client.post('/api/login', { account, password: PASSWORD }, { from: home });
    const outcomes: string[] = [];
    for (const from of [newAddress(), newAddress(), home, home])
      outcomes.push((await sendCode(email!, from)).body.error ?? 'ok');
    expect(outcomes).toEqual(['ok', 'code_throttled', 'ok', 'code_throttled']);
  });
});

describe('VerifyService.redeem', () => {
  it('accepts a code once under parallel requests', async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    const uses = await allAtOnce(times(20, () => () => redeem(email, code)));
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await redeem(email, code)).toEqual({ status: 400 });
  });

  it('stops parallel guesses after five attempts', async () => {
    const email = newMailbox();
    const code = await codeFor(email);
    // The correct guess comes after more than five other guesses have finished, whatever the pool size.
    const guess = (n: number) => () => redeem(email, n === 22 ? code : wrongCode(code));
    expect(await allAtOnce(times(24, guess))).toEqual(times(24, () => ({ status: 400 })));
    expect((await stored(email))!.tries).toBe(5);
    expect(await redeem(email, code)).toEqual({ status: 400 });
  });

  it('locks strangers out after five wrong attempts, but not the address that requested the code', async () => {
    const [email, asker] = [newMailbox(), '2001:db8:6:1::7'];
    const code = await codeFor(email, asker);
    const guess = (n: number) => () =>
      redeem(email, n === 22 ? code : wrongCode(code), newAddress());
    expect(await allAtOnce(times(24, guess))).toEqual(times(24, () => ({ status: 400 })));
    expect(await stored(email)).toMatchObject({ tries: 0, triesOfOthers: 5 });
    expect(await redeem(email, code, newAddress())).toEqual({ status: 400 });
    // This address is in the same /64.
    expect(await redeem(email, wrongCode(code), '2001:db8:6:1::8')).toEqual({ status: 400 });
    expect(await redeem(email, code, '2001:db8:6:1::9')).toEqual({ status: 200 });
  });

  it('rejects a code once a newer one was sent', async () => {
    const email = newMailbox();
    const old = await codeFor(email);
    await service.changeSettings({ verify: { cooldown: 1 } });
    await withClockAhead(61, async () => expect((await sendCode(email)).status).toBe(200));
    const [, next] = service.mail.mailsTo(email);
    if (next!.code !== old) expect(await redeem(email, old)).toEqual({ status: 400 });
    expect(await redeem(email, next!.code)).toEqual({ status: 200 });
    await service.changeSettings({});
  });

  it("keeps a code valid if the caller's work fails", async () => {
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
