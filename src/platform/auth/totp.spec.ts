import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { findTotpStep, generateTotpSecret, totpUri } from './totp.js';

const STEP_MS = 30_000;
const SECRET = Secret.fromUTF8('12345678901234567890').base32;

describe('A code of an authenticator app', () => {
  // RFC 6238, appendix B, SHA-1: the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is %s', (second, code) => {
    expect(findTotpStep(SECRET, code, second * 1000)).toBe(Math.floor(second / 30));
  });

  it('is accepted one time step early or late, and no more', () => {
    const now = 1_234_567_890_000;
    const step = now / STEP_MS;
    const found = [-2, -1, 0, 1, 2].map((off) => {
      const code = new TOTP({ secret: SECRET }).generate({ timestamp: now + off * STEP_MS });
      return findTotpStep(SECRET, code, now);
    });
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  it.each(['', '28708', '2870822', '٢٨٧٠٨٢', 'undefined'])('is never "%s"', (code) => {
    expect(findTotpStep(SECRET, code, 59_000)).toBeUndefined();
  });

  it('comes from a secret of 160 bits in an otpauth URI', () => {
    const secret = generateTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(generateTotpSecret()).not.toBe(secret);
    expect(totpUri('anna.b', secret)).toBe(
      `otpauth://totp/Gatehouse:anna.b?issuer=Gatehouse&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
