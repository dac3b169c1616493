import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService, type JwtVerifyOptions } from '@nestjs/jwt';
import type { Environment } from '../config/environment.js';
import { currentTime } from '../database/database-clock.js';

export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
export const TOKEN_ISSUER = 'gatehouse';
export const TOKEN_VERIFY_OPTIONS = {
  algorithms: ['HS256'],
  issuer: TOKEN_ISSUER,
  // `parseClaims` compares the expiry with the database's clock.
  ignoreExpiration: true,
} satisfies JwtVerifyOptions;
const WEB_AUDIENCE = 'web';
// Only `/api/check` accepts a token for this audience, so game servers cannot use the token for anything else.
const GAME_AUDIENCE = 'game';

export interface TokenOwner {
  id: number;
  account: string;
  ver: number;
  /** Identifies the session. Tokens from earlier releases have no session id. */
  sid?: number;
}

export interface TokenClaims extends TokenOwner {
  issuedAt: number;
}

/** Returns a key object, because jsonwebtoken tries to parse a string as a PEM key first, at 50 times the cost. */
export function tokenKey({ JWT_SECRET }: Environment): KeyObject {
  return createSecretKey(Buffer.from(JWT_SECRET));
}

@Injectable()
export class TokenService {
  constructor(private readonly jwt: JwtService) {}

  sign({ id, account, ver, sid }: TokenOwner, audience = WEB_AUDIENCE): string {
    const session = sid === undefined ? {} : { sid };
    const iat = Math.floor(currentTime() / 1000);
    const claims = { sub: String(id), account, ver, ...session, jti: randomUUID(), iat };
    return this.jwt.sign(claims, { audience });
  }

  signForGame(owner: TokenOwner): string {
    return this.sign(owner, GAME_AUDIENCE);
  }

  /** Returns the claims of a genuine token, even if it has expired. Returns undefined for any other token. */
  verify(token: string): unknown {
    try {
      return this.jwt.verify(token);
    } catch {
      return undefined;
    }
  }

  /** Returns the token's owner, or undefined if the claims have expired or were issued for another purpose. */
  parseClaims(claims: unknown, { forGame = false } = {}): TokenClaims | undefined {
    const { sub, account, ver, exp, sid, iat, aud } = Object(claims) as Record<string, unknown>;
    const isValid =
      // Tokens from earlier releases have no audience.
      (aud === undefined || aud === WEB_AUDIENCE || (forGame && aud === GAME_AUDIENCE)) &&
      typeof sub === 'string' &&
      /^[1-9]\d{0,14}$/.test(sub) &&
      typeof account === 'string' &&
      Number.isInteger(ver) &&
      (sid === undefined || Number.isSafeInteger(sid)) &&
      // jsonwebtoken accepts a token without an expiry.
      typeof exp === 'number' &&
      currentTime() < exp * 1000;
    if (!isValid) return undefined;
    const issuedAt = typeof iat === 'number' ? iat * 1000 : 0;
    return { id: Number(sub), account, ver: Number(ver), sid: sid as number | undefined, issuedAt };
  }
}
