import { describe, expect, it } from 'vitest';
import { findTotpStep, generateTotpSecret, toBase32, totpCode, totpStep, totpUri } from './totp.js';

const SECRET = toBase32(Buffer.from('12345678901234567890'));

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
    expect(totpCode(SECRET, totpStep(second * 1000))).toBe(code);
  });

  it('is accepted one time step early or late, and no more', () => {
    const now = 1_234_567_890_000;
    const step = totpStep(now);
    const found = [-2, -1, 0, 1, 2].map((off) =>
      findTotpStep(SECRET, totpCode(SECRET, step + off), now),
    );
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  it.each(['', '28708', '2870822', '٢٨٧٠٨٢', 'undefined'])('is never "%s"', (code) => {
    expect(findTotpStep(SECRET, code, 59_000)).toBeUndefined();
  });

  it('comes from a secret of 160 bits in an otpauth URI', () => {
    const secret = generateTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(generateTotpSecret()).not.toBe(secret);
    expect(SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(totpUri('anna.b', secret)).toBe(
      `otpauth://totp/Gatehouse:anna.b?secret=${secret}&issuer=Gatehouse&digits=6`,
    );
  });
});
