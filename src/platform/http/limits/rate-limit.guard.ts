import { type ExecutionContext, Injectable } from '@nestjs/common';
import {
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import type { Request } from 'express';
import { CounterUnavailable } from '../../counters/shared-counter.js';
import { requestLog } from '../../log/log.js';
import { TooManyRequests } from '../errors/http.errors.js';

/** The requests per minute of one address, over all routes. `rate-limit.options.ts` has the limit and who is exempt. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    try {
      return await super.handleRequest(request);
    } catch (error) {
      if (!(error instanceof CounterUnavailable)) throw error;
      // For example when the primary is too busy to answer its workers. That must not keep players out.
      const { requestId } = request.context.switchToHttp().getRequest<Request>().context;
      requestLog(requestId, RateLimitGuard.name).warn({ err: error }, 'a request was not counted');
      return true;
    }
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): never {
    throw new TooManyRequests(timeToBlockExpire);
  }
}
