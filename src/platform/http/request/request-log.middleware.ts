import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Histogram } from 'prom-client';
import { Metrics } from '../../metrics/metrics.js';
import { log } from '../../log/log.js';
import { RefusedRequests } from './refused-requests.js';

// A path may be 16 KB long and must not fill the disk.
const LONGEST_PATH = 200;

/** Logs and measures each request. The query is left out: it may contain a token. */
@Injectable()
export class RequestLogMiddleware implements NestMiddleware {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;

  constructor(
    metrics: Metrics,
    private readonly refused: RefusedRequests,
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
      // A denied address must not fill the log, nor change what the histogram says about others.
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

/** The path alone, up to 200 characters: an absolute-form target may contain credentials before the host. */
function pathOf(request: Request): string {
  const path = request.originalUrl.replace(/^[a-z]+:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
  return path.slice(0, LONGEST_PATH);
}
