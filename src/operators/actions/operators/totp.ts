import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 as every authenticator app does it: SHA-1, six digits, a new code every 30 seconds. */
const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** A phone's clock may be off by so many steps. */
const DRIFT = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** In base32. */
export function generateTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** What an app scans, or takes by hand. */
export function totpUri(name: string, secret: string): string {
  const query = new URLSearchParams({ secret, issuer: 'Gatehouse', digits: String(DIGITS) });
  return `otpauth://totp/Gatehouse:${encodeURIComponent(name)}?${query.toString()}`;
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function totpStep(now: number): number {
  return Math.floor(now / STEP_MS);
}

/** The step that the code belongs to; undefined where it belongs to none near now. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const given = Buffer.from(code);
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, n) => totpStep(now) - DRIFT + n);
  return steps.filter((step) => isEqual(given, Buffer.from(totpCode(secret, step))))[0];
}

function isEqual(given: Buffer, code: Buffer): boolean {
  return given.length === code.length && timingSafeEqual(given, code);
}

export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
}
