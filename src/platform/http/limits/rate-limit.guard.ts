import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { TooManyRequests } from '../errors/http.errors.js';

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
