import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** With this cost, one hash needs 32 MB of memory and about 80 ms. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 1 };
const [SALT_BYTES, KEY_BYTES] = [16, 32];
const MAX_MEMORY = 128 * 1024 * 1024;
// The alphabet omits letters and digits that look alike.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

const derive = promisify<string, Buffer, number, Cost & { maxmem: number }, Buffer>(scrypt);

/** Returns 20 random characters, which contain about 99 bits of entropy. */
export function generatePassword(): string {
  const group = () =>
    Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}

export async function hashPassword(password: string): Promise<string> {
  return hashWith(password, randomBytes(SALT_BYTES), COST);
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = stored.split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const made = await hashWith(password, Buffer.from(salt, 'base64url'), cost);
  const [given, expected] = [made.split('$').at(-1)!, key].map((text) => Buffer.from(text));
  return given!.length === expected!.length && timingSafeEqual(given!, expected!);
}

async function hashWith(password: string, salt: Buffer, cost: Cost): Promise<string> {
  const key = await derive(password, salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY });
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}
