import { applyDecorators, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { SkipThrottle, ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { TooManyRequests } from '../errors/http.errors.js';

export const UNTHROTTLED_EXTENSION = 'x-unthrottled';

export const Unthrottled = () =>
  applyDecorators(SkipThrottle(), ApiExtension(UNTHROTTLED_EXTENSION, true));

/** The requests per minute of one address, over all routes. `rate-limit.options.ts` has the limit and who is exempt. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): never {
    throw new TooManyRequests(timeToBlockExpire);
  }
}
