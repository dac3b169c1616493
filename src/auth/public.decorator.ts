import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const PUBLIC = 'public';
export const PUBLIC_EXTENSION = 'x-public';
export const JWT_IF_SENT = 'jwt-if-sent';
export const JWT_IF_SENT_EXTENSION = 'x-jwt-if-sent';

/** Opens a route to callers without a JWT. A test lists every route that has it. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC, true), ApiExtension(PUBLIC_EXTENSION, true));

/** Opens a route to callers without a JWT, and acts for the player where one is sent: then it must be in force. */
export const PublicOrSignedIn = () =>
  applyDecorators(
    Public(),
    SetMetadata(JWT_IF_SENT, true),
    ApiExtension(JWT_IF_SENT_EXTENSION, true),
  );
