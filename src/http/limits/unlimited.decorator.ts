import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const UNLIMITED = 'unlimited';
export const UNLIMITED_EXTENSION = 'x-unlimited';

/** Takes a route out of the general rate limit: whoever watches the service asks often, and from one address. */
export const Unlimited = () =>
  applyDecorators(SetMetadata(UNLIMITED, true), ApiExtension(UNLIMITED_EXTENSION, true));
