import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const PUBLIC = 'public';
export const PUBLIC_EXTENSION = 'x-public';
export const OPTIONAL_JWT = 'jwt-if-sent';
export const OPTIONAL_JWT_EXTENSION = 'x-jwt-if-sent';

/** Opens a route to callers without a JWT. `test/api/routes.e2e-spec.ts` lists every such route. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC, true), ApiExtension(PUBLIC_EXTENSION, true));

/** Opens a route to callers without a JWT. If one is sent, it must be in force, and the route acts for its player. */
export const OptionalAuth = () =>
  applyDecorators(
    Public(),
    SetMetadata(OPTIONAL_JWT, true),
    ApiExtension(OPTIONAL_JWT_EXTENSION, true),
  );
