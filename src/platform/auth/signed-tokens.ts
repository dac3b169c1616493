import { createSecretKey, hkdfSync, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Environment } from '../config/environment.js';
import { currentTime } from '../database/database-clock.js';

export const SIGNED_SECONDS = 5 * 60;

export interface SignedToken<Content> {
  id: string;
  expiresAt: Date;
  content: Content;
}

/**
 * Signs states, tickets, challenges and links, which any instance can verify. Each token is valid for one purpose. The
 * key is derived from JWT_SECRET, so a player's JWT is never valid as such a token, and such a token is never valid as
 * a JWT.
 */
@Injectable()
export class SignedTokens {
  private readonly jwt: JwtService;

  constructor({ JWT_SECRET }: Environment) {
    const key = hkdfSync('sha256', JWT_SECRET, '', 'gatehouse signed token', 32);
    this.jwt = new JwtService({
      secret: createSecretKey(new Uint8Array(key)),
      signOptions: { algorithm: 'HS256' },
      verifyOptions: { algorithms: ['HS256'] },
    });
  }

  sign(
    purpose: string,
    content: object,
    { id, seconds = SIGNED_SECONDS }: { id?: string; seconds?: number } = {},
  ): string {
    const jwtid = id ?? randomUUID();
    const iat = Math.floor(currentTime() / 1000);
    return this.jwt.sign({ content, iat }, { audience: purpose, jwtid, expiresIn: seconds });
  }

  /** Returns undefined if the signature or the purpose is wrong or the token has expired. */
  verify<Content>(purpose: string, text: string): SignedToken<Content> | undefined {
    try {
      const { jti, exp, content } = this.jwt.verify<{ jti: string; exp: number; content: Content }>(
        text,
        { audience: purpose, clockTimestamp: Math.floor(currentTime() / 1000) },
      );
      return { id: jti, expiresAt: new Date(exp * 1000), content };
    } catch {
      return undefined;
    }
  }
}
