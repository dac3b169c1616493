import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { Counters } from '../../counters/counters.js';
import type { Count, Tally } from '../../counters/tally.js';
import { requestLog } from '../../log/log.js';
import { AddressList, addressGroup } from '../request/address.js';
import { TooManyRequests } from '../errors/http.errors.js';
import { UNLIMITED } from './unlimited.decorator.js';
import type { RequestContext } from '../request/request-context.js';

const MINUTE = 60;

/** So many requests a minute for an address. Game servers are not counted. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly requests: Tally;

  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    counters: Counters,
  ) {
    this.requests = counters.tally('requests', { carried: false });
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(UNLIMITED, places)) return true;
    const { context: visit } = context.switchToHttp().getRequest<Request>();
    const { game_server_ips: gameServers } = this.settings.current;
    return AddressList.of(gameServers).has(visit.address) || this.count(visit);
  }

  private async count(visit: RequestContext): Promise<true> {
    const { count, secondsLeft } = await this.requests
      .add(addressGroup(visit.address), 1, MINUTE)
      .catch((error: unknown) => letIn(error, visit));
    if (count > this.settings.current.rate_limit.per_minute) throw new TooManyRequests(secondsLeft);
    return true;
  }
}

/** A count that cannot be had, as when the primary is too busy to answer its workers, must not keep players out. */
function letIn(
  error: unknown,
  { requestId }: RequestContext,
): Pick<Count, 'count' | 'secondsLeft'> {
  requestLog(requestId, RateLimitGuard.name).warn({ err: error }, 'a request was not counted');
  return { count: 0, secondsLeft: 0 };
}
