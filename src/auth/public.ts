import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const PUBLIC = 'public';
export const PUBLIC_EXTENSION = 'x-public';

/** Opens a route to callers without a JWT. A test lists every route that has it. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC, true), ApiExtension(PUBLIC_EXTENSION, true));
