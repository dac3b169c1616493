import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Whose app it is: an operator by name, a player by id. */
export interface TotpOwner {
  kind: 'operator' | 'player';
  name: string;
}

/** Encrypts the secret of an app for its owner's row, so that a copy of the database makes no codes. */
export function sealTotpSecret(secret: string, owner: TotpOwner, masterKey: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyFrom(masterKey, owner), nonce).setAAD(aadOf(owner));
  const sealed = [nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** Undefined where it was sealed with another key, or for another owner. */
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
