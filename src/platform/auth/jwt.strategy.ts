import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-jwt';
import { Environment } from '../config/environment.js';
import { IdentityService, type PlayerIdentity } from './identity.service.js';
import { TOKEN_VERIFY_OPTIONS, tokenKey } from './token.service.js';

/** Verifies the JWT of a request. `validate` then checks that it is still in force. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    environment: Environment,
    private readonly identities: IdentityService,
  ) {
    super({
      ...TOKEN_VERIFY_OPTIONS,
      jwtFromRequest: bearerToken,
      // The types lag behind: the key goes to jsonwebtoken, which takes key objects.
      secretOrKey: tokenKey(environment) as unknown as Buffer,
    });
  }

  validate(claims: unknown): Promise<PlayerIdentity> {
    return this.identities.identify(claims);
  }
}

/** Stricter than `ExtractJwt.fromAuthHeaderAsBearerToken`, which ignores whatever follows the token. */
export function bearerToken(request: Request): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}
