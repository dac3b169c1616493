import { createSecretKey, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Environment } from '../../platform/config/environment.js';

const LIFETIME_SECONDS = 5 * 60;
const ISSUER = 'gatehouse-forum-login';

type Purpose = 'state' | 'ticket';

export interface SignedValue {
  id: string;
  expiresAt: Date;
  content: Record<string, unknown>;
}

/**
 * Signs states and tickets, valid for five minutes on any instance. The key is derived for this purpose: a value
 * signed here is never a valid JWT of a player, nor the other way round.
 */
@Injectable()
export class SignedValues {
  private readonly jwt: JwtService;

  constructor({ JWT_SECRET }: Environment) {
    const key = hkdfSync('sha256', JWT_SECRET, '', 'gatehouse forum login', 32);
    this.jwt = new JwtService({
      secret: createSecretKey(new Uint8Array(key)),
      signOptions: { algorithm: 'HS256', expiresIn: LIFETIME_SECONDS, issuer: ISSUER },
      verifyOptions: { algorithms: ['HS256'], issuer: ISSUER },
    });
  }

  get lifetimeSeconds(): number {
    return LIFETIME_SECONDS;
  }

  sign(purpose: Purpose, id: string, content: object): string {
    return this.jwt.sign(content, { audience: purpose, jwtid: id });
  }

  /** Undefined if the signature, the purpose or the age is wrong. */
  verify(purpose: Purpose, text: string): SignedValue | undefined {
    try {
      const { jti, exp, ...content } = this.jwt.verify<
        Record<string, unknown> & { jti: string; exp: number }
      >(text, { audience: purpose });
      return { id: jti, expiresAt: new Date(exp * 1000), content };
    } catch {
      return undefined;
    }
  }
}
