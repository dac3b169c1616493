import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { OPTIONAL_JWT, PUBLIC } from './auth.decorators.js';
import { Unauthorized } from './auth.errors.js';
import type { PlayerIdentity } from './identity.service.js';

/** Requires a JWT on every route that is not marked `@Public()`. */
@Injectable()
export class JwtAuthGuard extends AuthGuard('jwt') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext) {
    const { headers } = context.switchToHttp().getRequest<Request>();
    const isSent = headers.authorization !== undefined;
    if (this.hasMetadata(PUBLIC, context) && !(isSent && this.hasMetadata(OPTIONAL_JWT, context)))
      return true;
    return super.canActivate(context);
  }

  /** Rethrows the errors of `JwtStrategy.validate`, because a database outage must lead to 503, not 401. */
  override handleRequest<T>(
    error: unknown,
    player: T & PlayerIdentity,
    _info: unknown,
    context: ExecutionContext,
  ): T {
    if (error) throw error;
    if (!player) throw new Unauthorized();
    context.switchToHttp().getRequest<Request>().context.playerId = player.id;
    return player;
  }

  private hasMetadata(key: string, context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(key, targets) ?? false;
  }
}
