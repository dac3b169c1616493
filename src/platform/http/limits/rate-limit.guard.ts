import { applyDecorators, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import {
  SkipThrottle,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerOptionsFactory,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { Counters, type SharedCounter } from '../../counters/counters.js';
import { TooManyRequests } from '../errors/http.errors.js';
import { AddressList, type RateLimitGroup, rateLimitGroups } from '../request/address.js';

const MINUTE_MS = 60_000;

export const UNTHROTTLED_EXTENSION = 'x-unthrottled';

export const Unthrottled = () =>
  applyDecorators(SkipThrottle(), ApiExtension(UNTHROTTLED_EXTENSION, true));

/** Limits the requests per minute from one address, over all routes together. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): never {
    throw new TooManyRequests(timeToBlockExpire);
  }
}

@Injectable()
export class RateLimitOptions implements ThrottlerOptionsFactory {
  constructor(
    private readonly settings: Settings,
    private readonly counters: Counters,
  ) {}

  createThrottlerOptions(): ThrottlerModuleOptions {
    return {
      // The limit is a function, because the settings may change while the service runs.
      throttlers: [{ ttl: MINUTE_MS, limit: () => this.settings.current.rate_limit.per_minute }],
      skipIf: (context) => this.isGameServer(context),
      getTracker: ({ context }) => (context as Request['context']).address,
      // The throttler's own key contains the handler, which would give each route a separate limit.
      generateKey: (_context, tracker) => tracker,
      setHeaders: false,
      storage: new SharedThrottlerStorage(this.counters.create('requests')),
    };
  }

  private isGameServer(context: ExecutionContext): boolean {
    const { address } = context.switchToHttp().getRequest<Request>().context;
    return AddressList.of(this.settings.current.game_server_ips).has(address);
  }
}

/** Keeps the throttler's counts with all other counts, in Redis or in the instance's memory. */
class SharedThrottlerStorage implements ThrottlerStorage {
  constructor(private readonly counter: SharedCounter) {}

  async increment(address: string, ttlMs: number, limit: number) {
    const [own, ...wider] = rateLimitGroups(address);
    let reading = await this.add(own!, ttlMs, limit);
    // A rejected request does not use up the limit of neighbouring addresses.
    for (const group of wider)
      if (!reading.isBlocked) reading = await this.add(group, ttlMs, limit);
    return reading;
  }

  private async add({ group, multiplier }: RateLimitGroup, ttlMs: number, limit: number) {
    const { count, secondsLeft } = await this.counter.add(group, 1, ttlMs / 1000);
    return {
      totalHits: count,
      timeToExpire: secondsLeft,
      // A mobile network may put thousands of phones, all active during the same hours, into one /48.
      isBlocked: count > limit * multiplier ** 2,
      timeToBlockExpire: secondsLeft,
    };
  }
}
