import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistrationDay } from '../../src/features/accounts/registration-limits.js';
import { RefusedRequest } from '../../src/platform/audit/audit.entity.js';
import { RequestEventLog } from '../../src/platform/audit/request-event-log.js';
import { newMailbox } from '../support/accounts.js';
import { getChallenge, solve, solvedChallenge } from '../support/api/challenge.js';
import { type MailApp, startMailApp } from '../support/api/mail-app.js';
import { inParallel, times } from '../support/api/parallel.js';
import { withClockAhead } from '../support/api/shift-clock.js';

const SETTINGS = {
  rate_limit: { per_minute: 100_000 },
  challenge: { mode: 'always', difficulty: 1000 },
};
const AUTO = { ...SETTINGS, challenge: { mode: 'auto', difficulty: 1000 } };
let service: MailApp;
let lastAddress = 0;

beforeAll(async () => {
  service = await startMailApp({ settings: SETTINGS });
});
afterAll(() => service.stop());

const newAddress = () => `198.18.9.${++lastAddress}`;
const sendCode = async (more: object = {}, from = newAddress()) => {
  const form = { email: newMailbox(), ...more };
  const { body } = await service.client.post('/api/send_code', form, { from });
  return (body.error as string | undefined) ?? 'ok';
};
const isRequired = async (from = newAddress()) =>
  (await getChallenge(service.client, from)).required;

describe('GET /api/challenge', () => {
  it('returns a different signed challenge in ALTCHA format each time', async () => {
    const offer = await getChallenge(service.client);
    expect(offer).toEqual({
      challenge: {
        algorithm: 'SHA-256',
        challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
        salt: expect.stringMatching(/^[0-9a-f]{24}\?expires=\d+&$/),
        signature: expect.stringMatching(/^[0-9a-f]{64}$/),
        maxnumber: 1000,
      },
      required: true,
      expires_in: 300,
    });
    expect(await getChallenge(service.client)).not.toEqual(offer);
  });
});

describe('POST /api/send_code with challenge.mode always', () => {
  it('demands a solution for every purpose', async () => {
    for (const purpose of [undefined, 'register', 'reset', 'email']) {
      expect(await sendCode({ purpose })).toBe('challenge_required');
      expect(await sendCode({ purpose, challenge: await solvedChallenge(service.client) })).toBe(
        'ok',
      );
    }
    const { text } = await service.client.get('/api/metrics');
    expect(text).toMatch(/gatehouse_codes_total\{outcome="challenge_required"\} [1-9]/);
  });

  it('accepts a solution once, even if it is sent in parallel', async () => {
    const challenge = await solvedChallenge(service.client);
    const answers = await inParallel(() => sendCode({ challenge }));
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'challenge_required')).toHaveLength(7);
  });

  it('rejects a solution after five minutes', async () => {
    const [early, late] = [await getChallenge(service.client), await getChallenge(service.client)];
    await withClockAhead(290, async () =>
      expect(await sendCode({ challenge: solve(early) })).toBe('ok'),
    );
    await withClockAhead(301, async () =>
      expect(await sendCode({ challenge: solve(late) })).toBe('challenge_required'),
    );
  });

  it('rejects an altered or malformed solution', async () => {
    const offer = await getChallenge(service.client);
    const { salt, challenge } = offer.challenge;
    const { number } = JSON.parse(Buffer.from(solve(offer), 'base64').toString());
    const later = salt.replace(/\d+&$/, '9999999999&');
    const spliced = `${salt}${String(number)[0]}`;
    for (const changes of [
      { number: number + 1 },
      { number: String(number) },
      { number: -1 },
      { algorithm: 'SHA-1' },
      { signature: '' },
      { signature: ['a'] },
      { salt: later, challenge: createHash('sha256').update(`${later}${number}`).digest('hex') },
      { salt: spliced, number: Number(String(number).slice(1)) },
      { salt: [salt] },
      { challenge: challenge.replace(/^./, 'x'), signature: challenge },
    ])
      expect(await sendCode({ challenge: solve(offer, changes) }), JSON.stringify(changes)).toBe(
        'challenge_required',
      );
    for (const nonsense of ['x', 'bnVsbA==', 'W10=', '"', '💥'])
      expect(await sendCode({ challenge: nonsense }), nonsense).toBe('challenge_required');
    for (const wrong of ['', 'x'.repeat(1025), 7, {}])
      expect(await sendCode({ challenge: wrong })).toBe('invalid_request');
    expect(await sendCode({ challenge: solve(offer) })).toBe('ok');
  });

  it('does not count requests without a solution, and stores nothing about them', async () => {
    const email = newMailbox();
    const from = newAddress();
    for (let tried = 0; tried < 30; tried++)
      expect(await sendCode({ email }, from)).toBe('challenge_required');
    await service.app.get(RequestEventLog).flush();
    expect(await service.database.getRepository(RefusedRequest).countBy({ address: from })).toBe(0);
    expect(await sendCode({ email, challenge: await solvedChallenge(service.client) }, from)).toBe(
      'ok',
    );
  });
});

describe('POST /api/send_code with challenge.mode auto', () => {
  it('demands a solution for the fourth code that an address or its /56 requests within an hour', async () => {
    await service.changeSettings(AUTO);
    for (const addresses of [
      times(4, () => '198.18.10.1'),
      times(4, (n) => `2001:db8:9:${n + 1}::1`),
    ]) {
      for (const from of addresses.slice(0, 3)) {
        expect(await isRequired(from)).toBe(false);
        expect(await sendCode({ challenge: 'not looked at' }, from)).toBe('ok');
      }
      const [last] = addresses.slice(3);
      expect(await isRequired(last)).toBe(true);
      expect(await sendCode({}, last)).toBe('challenge_required');
      expect(await sendCode({ challenge: await solvedChallenge(service.client) }, last)).toBe('ok');
      await withClockAhead(3601, async () => expect(await isRequired(last)).toBe(false));
    }
  });

  it("demands a solution once busy_share of the minute's e-mails are sent", async () => {
    await service.changeSettings({ ...AUTO, verify: { per_minute_all: 10 } });
    await withClockAhead(61, async () => {
      const answers = [];
      for (let n = 0; n < 8; n++) answers.push(await sendCode());
      expect(answers).toEqual([...times(6, () => 'ok'), ...times(2, () => 'challenge_required')]);
      expect(await isRequired()).toBe(true);
    });
    await withClockAhead(122, async () => expect(await isRequired()).toBe(false));
  });

  it("demands a solution once busy_share of the day's registrations are used up", async () => {
    const day = new Date().toISOString().slice(0, 10);
    const days = service.database.getRepository(RegistrationDay);
    const busy = { ...AUTO.challenge, busy_share: 0.2 };
    await service.changeSettings({ ...AUTO, day_max_reg: 10, challenge: busy });
    await days.save({ day, taken: 2 });
    expect(await isRequired()).toBe(false);
    await days.save({ day, taken: 3 });
    expect(await sendCode()).toBe('challenge_required');
    await service.changeSettings({ ...AUTO, day_max_reg: null, challenge: busy });
    expect(await sendCode()).toBe('ok');
    await service.changeSettings({ ...AUTO, day_max_reg: 10, challenge: { mode: 'off' } });
    expect(await isRequired()).toBe(false);
    expect(await sendCode()).toBe('ok');
  });
});
