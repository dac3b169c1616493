import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PlayerIdentity } from './identity.service.js';
import type { AuthenticatedRequest } from './jwt-auth.guard.js';

/** The player whose JWT came with the request. Only for routes that need one. */
export const CurrentPlayer = createParamDecorator(
  (_: unknown, context: ExecutionContext): PlayerIdentity => {
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!user) throw new Error('@CurrentPlayer() on a route that is marked @Public()');
    return user;
  },
);

/** The same for routes marked `@OptionalAuth()`: undefined if no JWT was sent. */
export const OptionalPlayer = createParamDecorator(
  (_: unknown, context: ExecutionContext): PlayerIdentity | undefined =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);
