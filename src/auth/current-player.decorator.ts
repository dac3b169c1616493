import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PlayerIdentity } from './identity.service.js';
import type { AuthenticatedRequest } from './jwt-auth.guard.js';

/** The player whose JWT came with the request; only on routes that need one. */
export const CurrentPlayer = createParamDecorator(
  (_: unknown, context: ExecutionContext): PlayerIdentity => {
    const { player } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!player) throw new Error('@CurrentPlayer() on a route that is marked @Public()');
    return player;
  },
);

/** The same on routes marked `@PublicOrSignedIn()`: undefined where no JWT came along. */
export const PlayerIfSignedIn = createParamDecorator(
  (_: unknown, context: ExecutionContext): PlayerIdentity | undefined =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().player,
);
