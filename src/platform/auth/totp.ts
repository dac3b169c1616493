import { Secret, TOTP } from 'otpauth';

/** In base32. */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What an app scans, or a person types in. */
export function totpUri(name: string, secret: string): string {
  return new TOTP({ issuer: 'Gatehouse', label: name, secret }).toString();
}

/** The time step that the code belongs to, at most one from now; undefined if it is wrong. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  // otpauth throws at six characters that are not six bytes.
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = new TOTP({ secret });
  const drift = totp.validate({ token: code, timestamp: now, window: 1 });
  return drift === null ? undefined : totp.counter({ timestamp: now }) + drift;
}
