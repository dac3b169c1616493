import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import {
  findTotpStep,
  generateTotpSecret,
  totpUri,
  openTotpSecret,
  sealTotpSecret,
  type TotpOwner,
} from './totp.js';

const STEP_MS = 30_000;
const SECRET = Secret.fromUTF8('12345678901234567890').base32;

describe('An authenticator app code', () => {
  // These are the last six digits of the SHA-1 codes in RFC 6238, appendix B.
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

  it('is accepted at most one time step early or late', () => {
    const now = 1_234_567_890_000;
    const step = now / STEP_MS;
    const found = [-2, -1, 0, 1, 2].map((off) => {
      const code = new TOTP({ secret: SECRET }).generate({ timestamp: now + off * STEP_MS });
      return findTotpStep(SECRET, code, now);
    });
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  it.each(['', '28708', '2870822', '٢٨٧٠٨٢', 'undefined'])('is rejected if it is "%s"', (code) => {
    expect(findTotpStep(SECRET, code, 59_000)).toBeUndefined();
  });

  it('is generated from a 160-bit secret in an otpauth URI', () => {
    const secret = generateTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(generateTotpSecret()).not.toBe(secret);
    expect(totpUri('anna.b', secret)).toBe(
      `otpauth://totp/Gatehouse:anna.b?issuer=Gatehouse&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

const ANNA: TotpOwner = { kind: 'operator', name: 'anna' };
const KEY = 'a key of the service with at least 32 bytes';

describe('An authenticator app secret', () => {
  it('can be decrypted only with the key and the owner that it was encrypted for', () => {
    const secret = generateTotpSecret();
    const sealed = sealTotpSecret(secret, ANNA, KEY);
    expect(sealed).not.toContain(secret);
    expect(sealed).not.toBe(sealTotpSecret(secret, ANNA, KEY));
    // The column holds at most this many characters.
    expect(sealed.length).toBeLessThanOrEqual(128);
    expect(openTotpSecret(sealed, ANNA, KEY)).toBe(secret);
    expect(openTotpSecret(sealed, { ...ANNA, name: 'otto' }, KEY)).toBeUndefined();
    expect(openTotpSecret(sealed, { ...ANNA, kind: 'player' }, KEY)).toBeUndefined();
    expect(openTotpSecret(sealed, ANNA, `${KEY}!`)).toBeUndefined();
  });

  it.each(['', 'A', 'x'.repeat(80), generateTotpSecret()])(
    'cannot be decrypted from %j',
    (text) => {
      expect(openTotpSecret(text, ANNA, KEY)).toBeUndefined();
    },
  );
});
