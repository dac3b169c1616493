import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService, type JwtSignOptions, type JwtVerifyOptions } from '@nestjs/jwt';
import type { Environment } from '../config/environment.js';

export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
export const TOKEN_ISSUER = 'gatehouse';
export const TOKEN_VERIFY_OPTIONS = {
  algorithms: ['HS256'],
  issuer: TOKEN_ISSUER,
} satisfies JwtVerifyOptions;
/** A game token, which only `/api/check` accepts: a game server that sees it can do nothing else with it. */
const GAME_AUDIENCE = 'game';

export interface TokenOwner {
  id: number;
  account: string;
  ver: number;
  /** The session that the token belongs to. Tokens of earlier releases have none. */
  sid?: number;
}

export interface TokenClaims extends TokenOwner {
  issuedAt: number;
}

/** A key object, not the string: jsonwebtoken tries to parse a string as a PEM key first, at 50 times the cost. */
export function tokenKey({ JWT_SECRET }: Environment): KeyObject {
  return createSecretKey(Buffer.from(JWT_SECRET));
}

@Injectable()
export class TokenService {
  constructor(private readonly jwt: JwtService) {}

  sign({ id, account, ver, sid }: TokenOwner, options: JwtSignOptions = {}): string {
    const session = sid === undefined ? {} : { sid };
    const claims = { sub: String(id), account, ver, ...session, jti: randomUUID() };
    return this.jwt.sign(claims, options);
  }

  signForGame(owner: TokenOwner): string {
    return this.sign(owner, { audience: GAME_AUDIENCE });
  }

  /** The claims of a genuine, unexpired token, or undefined. */
  verify(token: string): unknown {
    try {
      return this.jwt.verify(token);
    } catch {
      return undefined;
    }
  }

  /** The owner named by verified claims, or undefined if they are not claims that we sign for this use. */
  parseClaims(claims: unknown, { forGame = false } = {}): TokenClaims | undefined {
    const { sub, account, ver, exp, sid, iat, aud } = Object(claims) as Record<string, unknown>;
    const wellFormed =
      (aud === undefined || (forGame && aud === GAME_AUDIENCE)) &&
      typeof sub === 'string' &&
      /^[1-9]\d{0,14}$/.test(sub) &&
      typeof account === 'string' &&
      Number.isInteger(ver) &&
      (sid === undefined || Number.isSafeInteger(sid)) &&
      // jsonwebtoken accepts a token without an expiry.
      typeof exp === 'number';
    if (!wellFormed) return undefined;
    const issuedAt = typeof iat === 'number' ? iat * 1000 : 0;
    return { id: Number(sub), account, ver: Number(ver), sid: sid as number | undefined, issuedAt };
  }
}
