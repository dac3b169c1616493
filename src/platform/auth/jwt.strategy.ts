import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-jwt';
import { Environment } from '../config/environment.js';
import { IdentityService, type PlayerIdentity } from './identity.service.js';
import { TOKEN_VERIFY_OPTIONS, tokenKey } from './token.service.js';

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    environment: Environment,
    private readonly identities: IdentityService,
  ) {
    super({
      ...TOKEN_VERIFY_OPTIONS,
      jwtFromRequest: bearerToken,
      // The cast is safe, because passport-jwt passes the key to jsonwebtoken, which accepts key objects.
      secretOrKey: tokenKey(environment) as unknown as Buffer,
    });
  }

  validate(claims: unknown): Promise<PlayerIdentity> {
    return this.identities.identify(claims);
  }
}

/** passport-jwt's own extractor would ignore any text after the token. */
export function bearerToken(request: Request): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}
