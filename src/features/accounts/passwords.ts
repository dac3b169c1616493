import { hash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { legacyHashes } from './legacy-hashes.js';

/**
 * The password of an account that came from the forum or was secured by operators. As long as an MD5 in hex, but never
 * equal to one.
 */
export const UNUSABLE_PASSWORD = '!'.repeat(32);

const DUMMY_HASH = Buffer.alloc(32);

/** Passwords as the previous generation stored them: `md5(password + PASSWORD_KEY)` over UTF-8, in lower-case hex. */
@Injectable()
export class Passwords {
  constructor(private readonly environment: Environment) {}

  hash(password: string): string {
    return hash('md5', password + this.environment.PASSWORD_KEY);
  }

  /** Takes the same time whether or not there is an account to compare with. */
  matches(password: string, stored: string | undefined): boolean {
    return this.matchesHash(this.hash(password), stored);
  }

  /** For an imported player who has not signed in yet. */
  matchesLegacy(password: string, stored: string | undefined): boolean {
    const forms = Object.values(legacyHashes(password, this.environment.PASSWORD_KEY));
    return forms.map((form) => this.matchesHash(form, stored)).includes(true);
  }

  /** Compares an old-format token, which is the hash itself, with the stored hash. */
  matchesHash(given: string, stored: string | undefined): boolean {
    const expected = Buffer.from(stored ?? '');
    const comparable = expected.length === DUMMY_HASH.length;
    return timingSafeEqual(Buffer.from(given), comparable ? expected : DUMMY_HASH) && comparable;
  }
}
