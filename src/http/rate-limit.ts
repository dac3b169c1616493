import { type ExecutionContext, Injectable } from '@nestjs/common';
import {
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request } from 'express';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import { log } from '../log/log.js';
import { AddressList, addressGroup, clientAddress } from './address.js';
import { TooManyRequests } from './http.errors.js';

const MINUTE = 60;

/** Keeps the throttler's counts in our counters, which all instances share. */
class SharedCount implements ThrottlerStorage {
  private readonly requests: RateLimiterAbstract;

  constructor(counters: Counters) {
    // The limit may change while we run, so the counter only counts and the comparison is made below.
    this.requests = counters.create({
      name: 'requests',
      points: Number.MAX_SAFE_INTEGER,
      duration: MINUTE,
    });
  }

  async increment(key: string, _ttl: number, limit: number) {
    const count = await this.requests.consume(key).catch(letIn);
    const secondsLeft = Math.ceil(count.msBeforeNext / 1000);
    return {
      totalHits: count.consumedPoints,
      timeToExpire: secondsLeft,
      isBlocked: count.consumedPoints > limit,
      timeToBlockExpire: secondsLeft,
    };
  }
}

/** A count that cannot be had, as when the primary is too busy to answer its workers, must not keep players out. */
function letIn(error: unknown): Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'> {
  log.warn({ err: error }, 'a request was not counted');
  return { consumedPoints: 0, msBeforeNext: 0 };
}

export function rateLimitOptions(settings: Settings, counters: Counters): ThrottlerModuleOptions {
  const addressOf = (request: Request) => clientAddress(request);
  return {
    throttlers: [{ limit: () => settings.current.rate_limit.per_minute, ttl: MINUTE * 1000 }],
    storage: new SharedCount(counters),
    getTracker: (request) => addressGroup(addressOf(request as Request)),
    generateKey: (_context, tracker) => tracker,
    skipIf: (context) =>
      AddressList.of(settings.current.game_server_ips).has(
        addressOf(context.switchToHttp().getRequest<Request>()),
      ),
    setHeaders: false,
  };
}

@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new TooManyRequests(timeToBlockExpire);
  }
}
