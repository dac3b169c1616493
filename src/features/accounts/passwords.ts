import { hash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { encode } from 'iconv-lite';
import { Environment } from '../../platform/config/environment.js';

/** Hashes a password as earlier services did, which omitted the key or hashed GBK bytes. */
export function legacyHashes(password: string, key: string): Record<string, string> {
  const gbk = encode(password, 'gbk');
  return {
    'md5 without the key': hash('md5', password),
    'typed in GBK': hash('md5', Buffer.concat([gbk, Buffer.from(key)])),
    'typed in GBK, without the key': hash('md5', gbk),
  };
}

/**
 * Replaces the password hash of an account that came from the forum or was secured by operators. The value is as long
 * as an MD5 hash in hex, but no password has this hash.
 */
export const UNUSABLE_PASSWORD = '!'.repeat(32);

const DUMMY_HASH = Buffer.alloc(32);

/** Hashes passwords as the previous generation did, by `md5(password + PASSWORD_KEY)` over UTF-8 in lower-case hex. */
@Injectable()
export class Passwords {
  constructor(private readonly environment: Environment) {}

  hash(password: string): string {
    return hash('md5', password + this.environment.PASSWORD_KEY);
  }

  /** Compares in constant time, whether or not there is a stored hash. */
  matches(password: string, stored: string | undefined): boolean {
    return this.matchesHash(this.hash(password), stored);
  }

  /** Compares with the hash formats that an imported player may have until the first sign-in. */
  matchesLegacy(password: string, stored: string | undefined): boolean {
    const forms = Object.values(legacyHashes(password, this.environment.PASSWORD_KEY));
    return forms.map((form) => this.matchesHash(form, stored)).includes(true);
  }

  /** Compares an old-format token, which is the password's hash, with the stored hash. */
  matchesHash(given: string, stored: string | undefined): boolean {
    const expected = Buffer.from(stored ?? '');
    const comparable = expected.length === DUMMY_HASH.length;
    return timingSafeEqual(Buffer.from(given), comparable ? expected : DUMMY_HASH) && comparable;
  }
}
