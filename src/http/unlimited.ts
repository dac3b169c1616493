import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';

export const UNLIMITED_EXTENSION = 'x-unlimited';

/** Takes a route out of the general rate limit: whoever watches the service asks often, and from one address. */
export const Unlimited = () =>
  applyDecorators(SkipThrottle(), ApiExtension(UNLIMITED_EXTENSION, true));
