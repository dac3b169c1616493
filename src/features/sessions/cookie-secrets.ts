import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';

export interface SessionCookie {
  playerId: number;
  id: number;
  secret: string;
}

const COOKIE_PATTERN = /^([1-9]\d{0,9})\.([1-9]\d{0,15})\.([\w-]{43})$/;

/**
 * The contents of a stay-signed-in cookie. A new secret is derived from the previous one, a fresh salt and our key. So
 * a client that repeats the previous one in time gets the same new one, although only its hash is stored.
 */
@Injectable()
export class CookieSecrets {
  private readonly key: Buffer;

  constructor({ JWT_SECRET }: Environment) {
    this.key = Buffer.from(hkdfSync('sha256', JWT_SECRET, '', 'gatehouse session cookie', 32));
  }

  generate(): string {
    return randomBytes(32).toString('base64url');
  }

  deriveNext(secret: string, salt: string): string {
    return createHmac('sha256', this.key).update(`${secret}.${salt}`).digest('base64url');
  }

  hash(secret: string): string {
    return createHash('sha256').update(secret).digest('base64url');
  }

  matchesHash(secret: string, stored: string | null): boolean {
    const given = Buffer.from(this.hash(secret));
    const expected = Buffer.from(stored ?? '');
    return expected.length === given.length && timingSafeEqual(given, expected);
  }

  serialize({ playerId, id, secret }: SessionCookie): string {
    return `${playerId}.${id}.${secret}`;
  }

  parse(cookie: string | undefined): SessionCookie | undefined {
    const [, playerId, id, secret] = COOKIE_PATTERN.exec(cookie ?? '') ?? [];
    if (!playerId || !id || !secret) return undefined;
    return { playerId: Number(playerId), id: Number(id), secret };
  }
}
