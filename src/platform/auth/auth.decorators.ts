import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { PlayerIdentity } from './identity.service.js';

export const PUBLIC = 'public';
export const PUBLIC_EXTENSION = 'x-public';
export const OPTIONAL_JWT = 'jwt-if-sent';
export const OPTIONAL_JWT_EXTENSION = 'x-jwt-if-sent';

/** Opens a route to requests without a JWT. `test/api/routes.e2e-spec.ts` lists every such route. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC, true), ApiExtension(PUBLIC_EXTENSION, true));

/**
 * Opens a route to requests without a JWT. If a request has a JWT, it must be valid, and the route acts for the JWT's
 * player.
 */
export const OptionalAuth = () =>
  applyDecorators(
    Public(),
    SetMetadata(OPTIONAL_JWT, true),
    ApiExtension(OPTIONAL_JWT_EXTENSION, true),
  );

export const CurrentPlayer = createParamDecorator(
  (_: unknown, context: ExecutionContext): PlayerIdentity => {
    const user = playerOf(context);
    if (!user) throw new Error('@CurrentPlayer() on a route that is marked @Public()');
    return user;
  },
);

export const OptionalPlayer = createParamDecorator(
  (_: unknown, context: ExecutionContext): PlayerIdentity | undefined => playerOf(context),
);

function playerOf(context: ExecutionContext): PlayerIdentity | undefined {
  return context.switchToHttp().getRequest<{ user?: PlayerIdentity }>().user;
}
