import { describe, expect, it } from 'vitest';
import { generateTotpSecret } from './totp.js';
import { openTotpSecret, sealTotpSecret, type TotpOwner } from './totp-seal.js';

const ANNA: TotpOwner = { kind: 'operator', name: 'anna' };
const KEY = 'a key of the service with at least 32 bytes';

describe('The secret of an authenticator app', () => {
  it('is readable only with the key and for the owner that it was sealed with', () => {
    const secret = generateTotpSecret();
    const sealed = sealTotpSecret(secret, ANNA, KEY);
    expect(sealed).not.toContain(secret);
    expect(sealed).not.toBe(sealTotpSecret(secret, ANNA, KEY));
    // The size of the column.
    expect(sealed.length).toBeLessThanOrEqual(128);
    expect(openTotpSecret(sealed, ANNA, KEY)).toBe(secret);
    expect(openTotpSecret(sealed, { ...ANNA, name: 'otto' }, KEY)).toBeUndefined();
    expect(openTotpSecret(sealed, { ...ANNA, kind: 'player' }, KEY)).toBeUndefined();
    expect(openTotpSecret(sealed, ANNA, `${KEY}!`)).toBeUndefined();
  });

  it.each(['', 'A', 'x'.repeat(80), generateTotpSecret()])('is never read from %j', (text) => {
    expect(openTotpSecret(text, ANNA, KEY)).toBeUndefined();
  });
});
