import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const CIPHER = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Identifies the owner of an authenticator app, which is an operator (by name) or a player (by id). */
export interface TotpOwner {
  kind: 'operator' | 'player';
  name: string;
}

export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export function totpUri(name: string, secret: string): string {
  return new TOTP({ issuer: 'Gatehouse', label: name, secret }).toString();
}

/** Returns the time step of the code, at most one step from now, or undefined if the code is wrong. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  // otpauth throws if a code of six characters is longer than six bytes.
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = new TOTP({ secret });
  const drift = totp.validate({ token: code, timestamp: now, window: 1 });
  return drift === null ? undefined : totp.counter({ timestamp: now }) + drift;
}

/** Encrypts an authenticator app's secret for its owner's row, so that a copy of the database reveals no codes. */
export function sealTotpSecret(secret: string, owner: TotpOwner, masterKey: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyFrom(masterKey, owner), nonce).setAAD(aadOf(owner));
  const sealed = [nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** Decrypts a secret. Returns undefined if it was encrypted with another key or for another owner. */
export function openTotpSecret(
  sealed: string,
  owner: TotpOwner,
  masterKey: string,
): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const key = keyFrom(masterKey, owner);
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(aadOf(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const secret = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([secret, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function aadOf({ name }: TotpOwner): Buffer {
  return Buffer.from(name);
}

function keyFrom(masterKey: string, { kind }: TotpOwner): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `gatehouse ${kind} totp`, 32));
}
