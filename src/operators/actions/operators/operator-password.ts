import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** 32 MB and about 80 ms per try. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 1 };
const [SALT_BYTES, KEY_BYTES] = [16, 32];
const MAX_MEMORY = 128 * 1024 * 1024;
// Without letters and digits that look alike.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

const derive = promisify<string, Buffer, number, Cost & { maxmem: number }, Buffer>(scrypt);

/** Generated: 20 random letters, about 99 bits. */
export function generatePassword(): string {
  const group = () =>
    Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}

export async function hashPassword(password: string): Promise<string> {
  return hashWith(password, randomBytes(SALT_BYTES), COST);
}

/** Compared with if there is no such operator, so that it takes as long. */
const DUMMY_HASH = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export async function verifyPassword(password: string, stored?: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (stored ?? DUMMY_HASH).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const made = await hashWith(password, Buffer.from(salt, 'base64url'), cost);
  const [given, expected] = [made.split('$').at(-1)!, key].map((text) => Buffer.from(text));
  const isSame = given!.length === expected!.length && timingSafeEqual(given!, expected!);
  return isSame && stored !== undefined;
}

async function hashWith(password: string, salt: Buffer, cost: Cost): Promise<string> {
  const key = await derive(password, salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY });
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}
