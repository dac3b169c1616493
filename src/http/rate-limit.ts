import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import { requestLog } from '../log/log.js';
import { AddressList, addressGroup } from './address.js';
import { TooManyRequests } from './http.errors.js';
import { UNLIMITED } from './unlimited.js';
import type { Visit } from './visit.js';

const MINUTE = 60;

/** So many requests a minute for an address. Game servers are not counted. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly requests: RateLimiterAbstract;

  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    counters: Counters,
  ) {
    // The limit may change while we run, so the counter only counts and the comparison is made below.
    this.requests = counters.create({
      name: 'requests',
      points: Number.MAX_SAFE_INTEGER,
      duration: MINUTE,
    });
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(UNLIMITED, places)) return true;
    const { visit } = context.switchToHttp().getRequest<Request>();
    const { game_server_ips: gameServers } = this.settings.current;
    return AddressList.of(gameServers).has(visit.address) || this.count(visit);
  }

  private async count(visit: Visit): Promise<true> {
    const { consumedPoints, msBeforeNext } = await this.requests
      .consume(addressGroup(visit.address))
      .catch((error: unknown) => letIn(error, visit));
    if (consumedPoints > this.settings.current.rate_limit.per_minute)
      throw new TooManyRequests(msBeforeNext / 1000);
    return true;
  }
}

/** A count that cannot be had, as when the primary is too busy to answer its workers, must not keep players out. */
function letIn(
  error: unknown,
  { requestId }: Visit,
): Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'> {
  requestLog(requestId, RateLimitGuard.name).warn({ err: error }, 'a request was not counted');
  return { consumedPoints: 0, msBeforeNext: 0 };
}
