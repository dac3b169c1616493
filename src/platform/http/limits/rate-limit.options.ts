import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { ThrottlerModuleOptions, ThrottlerOptionsFactory } from '@nestjs/throttler';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { Counters } from '../../counters/counters.js';
import { AddressList } from '../request/address.js';
import { SharedThrottlerStorage } from './shared-throttler.storage.js';

const MINUTE_MS = 60_000;

@Injectable()
export class RateLimitOptions implements ThrottlerOptionsFactory {
  constructor(
    private readonly settings: Settings,
    private readonly counters: Counters,
  ) {}

  createThrottlerOptions(): ThrottlerModuleOptions {
    return {
      // A function, since settings change while the service runs.
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
