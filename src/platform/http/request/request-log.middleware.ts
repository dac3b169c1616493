import { Injectable, type NestMiddleware, type OnModuleDestroy } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Histogram } from 'prom-client';
import { log } from '../../log/log.js';
import { Metrics } from '../../metrics/metrics.js';
import { addressGroup } from './address.js';

// A path may be 16 KB long and must not fill the disk.
const LONGEST_PATH = 200;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 1000;
const OTHERS = 'others';

/** Counts requests above the rate limit instead of logging them, so that a flood does not fill the disk. */
@Injectable()
export class ThrottledRequests implements OnModuleDestroy {
  private readonly counts = new Map<string, number>();
  private readonly timer = setInterval(() => this.flush(), MINUTE_MS).unref();

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.flush();
  }

  /** Returns true for an address's first request in a minute, which gets its own log line. */
  isFirst(address: string): boolean {
    const group = addressGroup(address);
    const count = this.counts.get(group);
    if (count === undefined && this.counts.size < MAX_ADDRESSES) {
      this.counts.set(group, 0);
      return true;
    }
    const key = count === undefined ? OTHERS : group;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return false;
  }

  flush(): void {
    for (const [address, requests] of this.counts)
      if (requests > 0)
        log.info({ address, status: 429, requests }, 'more requests refused by the rate limit');
    this.counts.clear();
  }
}

/** Logs and measures each request. The log omits the query, which may contain a token. */
@Injectable()
export class RequestLogMiddleware implements NestMiddleware {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;

  constructor(
    metrics: Metrics,
    private readonly refused: ThrottledRequests,
  ) {
    this.duration = new Histogram({
      name: 'gatehouse_http_request_seconds',
      help: 'Seconds from request to response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers: [metrics.registry],
    });
  }

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    response.once('close', () => {
      // A denied address must neither fill the log nor distort the histogram.
      if (request.context.error === 'ip_denied') return;
      const seconds = (performance.now() - started) / 1000;
      const answered = response.writableFinished;
      this.duration.observe(
        {
          method: request.route ? request.method : 'any',
          route: (request.route as { path?: string } | undefined)?.path ?? 'none',
          status: answered ? response.statusCode : 499,
        },
        seconds,
      );
      const { error, address } = request.context;
      if (error === 'too_many_requests' && !this.refused.isFirst(address)) return;
      log.info(
        {
          request_id: request.context.requestId,
          method: request.method,
          path: pathOf(request),
          status: response.statusCode,
          ...(answered ? {} : { aborted: true }),
          ms: Math.round(seconds * 10_000) / 10,
          address,
          player_id: request.context.playerId,
          operator: request.context.operator,
          error,
        },
        'request',
      );
    });
    next();
  };
}

/** Returns only the path, because an absolute-form target may contain credentials before the host. */
function pathOf(request: Request): string {
  const path = request.originalUrl.replace(/^[a-z]+:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
  return path.slice(0, LONGEST_PATH);
}
