import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Unauthorized } from './auth.errors.js';
import { IdentityService, type PlayerIdentity } from './identity.service.js';
import { JWT_IF_SENT, PUBLIC } from './public.decorator.js';

export type AuthenticatedRequest = Request & { player?: PlayerIdentity };

/** Every route needs a JWT unless it is marked `@Public()`. */
@Injectable()
export class JwtAuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly identities: IdentityService,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const isSent = request.headers.authorization !== undefined;
    if (this.is(PUBLIC, context) && !(isSent && this.is(JWT_IF_SENT, context))) return true;
    return this.identify(request);
  }

  private async identify(request: AuthenticatedRequest): Promise<true> {
    const token = bearerToken(request);
    if (!token) throw new Unauthorized();
    request.player = await this.identities.identify(token);
    request.context.playerId = request.player.id;
    return true;
  }

  private is(mark: string, context: ExecutionContext): boolean {
    const places = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(mark, places) ?? false;
  }
}

function bearerToken(request: Request): string | undefined {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}
