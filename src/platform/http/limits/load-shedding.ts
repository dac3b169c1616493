import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Environment } from '../../config/environment.js';
import { log } from '../../log/log.js';
import { Metrics } from '../../metrics/metrics.js';
import { AppError, errorBody } from '../errors/app-error.js';
import { AppExceptionFilter } from '../errors/exception.filter.js';
import { resolveRequestId } from '../request/request-id.js';
import { RAW_ERROR_HEADERS } from '../server/configure-server.js';
import { GracefulShutdown } from '../server/graceful-shutdown.js';
import {
  PRIORITIES,
  type RequestKind,
  type RequestPriority,
  RoutePriorities,
} from './route-priorities.js';

// A request waits one event loop turn at each await, so five turns of 50 ms delay it by a quarter of a second.
const LATE_MS = 30;
// The service is slow if even the fastest request that needs only the account database takes this long.
const SLOW_MS = 250;
const WINDOW_MS = 100;
// This many concurrent requests are not an overload, however slow the machine is.
const BURST = 256;
const LEAST = 64;
export const MAX_CONCURRENT_REQUESTS = 4096;

const SHARES: Record<RequestPriority, number> = { begun: 1.5, game: 1, login: 0.85, other: 0.7 };

/**
 * Limits the number of concurrent requests. The limit falls while the event loop lags or every response is slow, and
 * rises again afterwards. As in CoDel, the best sample of a window counts, because only a queue that never empties
 * means overload.
 */
export class ConcurrencyLimit {
  limit = MAX_CONCURRENT_REQUESTS;
  private since = 0;
  private samples = 0;
  private lateness = Infinity;
  private quickest = Infinity;
  private turnedAway = false;

  admits(priority: RequestPriority, inProgress: number): boolean {
    const admitted = inProgress < this.limit * SHARES[priority];
    if (!admitted) this.turnedAway = true;
    return admitted;
  }

  answered(milliseconds: number): void {
    if (milliseconds < this.quickest) this.quickest = milliseconds;
  }

  /** Records a sample of the event loop lag. The caller takes a sample every few milliseconds. */
  observe(lateMs: number, inProgress: number, now: number): void {
    this.lateness = Math.min(this.lateness, lateMs);
    // A single long pause, such as a garbage collection, does not mean that a queue exists.
    if (++this.samples < 2 || now - this.since < WINDOW_MS) return;
    this.adapt(inProgress);
    this.since = now;
    this.samples = 0;
    this.lateness = this.quickest = Infinity;
    this.turnedAway = false;
  }

  private adapt(inProgress: number): void {
    const slow = this.quickest === Infinity ? 0 : this.quickest / SLOW_MS;
    const excess = Math.max(this.lateness / LATE_MS, slow);
    if (excess <= 1)
      this.limit = Math.min(MAX_CONCURRENT_REQUESTS, this.limit * (this.turnedAway ? 1.1 : 2));
    else if (inProgress >= Math.min(BURST, this.limit / 2))
      this.limit = Math.max(LEAST, Math.min(this.limit, inProgress) * Math.max(0.5, 1 / excess));
  }
}

const TICK_MS = 20;
const QUIET_MS = 2000;

const BUSY = overloaded();
// Two different delays prevent all clients from retrying at the same time.
const [SOON, LATER] = [splitBody(1), splitBody(2)];

/**
 * Rejects requests under overload before Express processes them, so that a rejection costs a fraction of a normal
 * response. Admitted requests are always served.
 */
@Injectable()
export class LoadShedding implements OnModuleDestroy {
  /** This is set by `configure-app.ts`, which knows the routes. */
  priorities = new RoutePriorities([]);
  private readonly concurrency = new ConcurrencyLimit();
  private readonly inProgress = { here: 0, outside: 0 };
  private readonly turnedAway: Counter<'class'>;
  private readonly headers = Object.entries(RAW_ERROR_HEADERS).flat();
  private readonly corsHeaders: string[];
  private readonly pendingCounts = { begun: 0, game: 0, login: 0, other: 0 };
  private readonly timer: NodeJS.Timeout;
  private lastTick = performance.now();
  private lastTurnedAway = 0;
  private episode?: { began: number; byPriority: Partial<Record<RequestPriority, number>> };

  constructor(
    metrics: Metrics,
    environment: Environment,
    private readonly filter: AppExceptionFilter,
    private readonly gracefulShutdown: GracefulShutdown,
  ) {
    this.turnedAway = new Counter({
      name: 'gatehouse_turned_away_total',
      help: 'Requests rejected because of overload: begun, game, login or other',
      labelNames: ['class'],
      registers: [metrics.registry],
      collect: () => this.count(),
    });
    for (const each of PRIORITIES) this.turnedAway.inc({ class: each }, 0);
    metrics.gauges(
      'gatehouse_requests_under_way',
      'Requests in progress: processed here, or waiting for a game server, the forum or the mail server (outside)',
      'waits',
      () => this.inProgress,
    );
    this.corsHeaders = corsHeaders(environment);
    this.timer = setInterval(() => this.tick(performance.now()), TICK_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Returns false if the request was rejected and its response has been sent. */
  readonly admit = (request: IncomingMessage, response: ServerResponse): boolean => {
    const kind = this.priorities.find(request);
    if (!kind) return true;
    const pool = kind.waitsOutside ? 'outside' : 'here';
    if (!this.concurrency.admits(kind.priority, this.inProgress[pool])) {
      this.reject(kind.priority, request, response);
      return false;
    }
    this.inProgress[pool]++;
    const began = performance.now();
    response.once('close', () => {
      this.inProgress[pool]--;
      if (showsTheQueue(kind, response)) this.concurrency.answered(performance.now() - began);
    });
    return true;
  };

  private reject(
    priority: RequestPriority,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const requestId = resolveRequestId(request.headers);
    const { start, end, retryAfter } = Math.random() < 0.5 ? SOON : LATER;
    const body = start + requestId + end;
    if (this.gracefulShutdown.isStopping) response.shouldKeepAlive = false;
    response.writeHead(503, [
      ...this.headers,
      ...(request.headers.origin === undefined ? [] : this.corsHeaders),
      'Content-Length',
      String(body.length),
      'Retry-After',
      retryAfter,
      'X-Request-Id',
      requestId,
    ]);
    response.end(body);
    this.pendingCounts[priority]++;
    this.recordRejection(priority);
  }

  /** Updates the metrics once per tick, because an update costs a third as much as a rejection. */
  private count(): void {
    for (const each of PRIORITIES) {
      const times = this.pendingCounts[each];
      this.pendingCounts[each] = 0;
      if (times === 0) continue;
      this.turnedAway.inc({ class: each }, times);
      this.filter.count(BUSY, times);
    }
  }

  private recordRejection(priority: RequestPriority): void {
    this.lastTurnedAway = performance.now();
    if (!this.episode) {
      this.episode = { began: this.lastTurnedAway, byPriority: {} };
      const { limit } = this.concurrency;
      log.warn({ ...this.inProgress, limit: Math.round(limit) }, 'overload: turning requests away');
    }
    const { byPriority } = this.episode;
    byPriority[priority] = (byPriority[priority] ?? 0) + 1;
  }

  private tick(now: number): void {
    const { here, outside } = this.inProgress;
    this.concurrency.observe(now - this.lastTick - TICK_MS, Math.max(here, outside), now);
    this.lastTick = now;
    this.count();
    if (!this.episode || now - this.lastTurnedAway < QUIET_MS) return;
    const seconds = Math.round((this.lastTurnedAway - this.episode.began) / 100) / 10;
    log.warn({ seconds, turned_away: this.episode.byPriority }, 'overload: over');
    this.episode = undefined;
  }
}

function overloaded(retryAfter = 1): AppError {
  const message = 'The service is busy right now. Please try again in a moment.';
  return new AppError('service_unavailable', message, { retryAfter });
}

function splitBody(retryAfter: number) {
  const [start, end] = JSON.stringify(errorBody(overloaded(retryAfter), '\n')).split('\\n');
  return { start: start!, end: end!, retryAfter: String(retryAfter) };
}

/** Ignores rejections, which cost almost nothing, and requests whose duration depends on another server. */
function showsTheQueue({ priority, waitsOutside }: RequestKind, { statusCode }: ServerResponse) {
  return statusCode === 200 && !waitsOutside && priority !== 'other';
}

function corsHeaders({ FRONTEND_URL, frontEndIsSameSite }: Environment): string[] {
  return Object.entries({
    'Access-Control-Allow-Origin': new URL(FRONTEND_URL).origin,
    'Access-Control-Expose-Headers': 'X-Request-Id,Retry-After',
    ...(frontEndIsSameSite && { 'Access-Control-Allow-Credentials': 'true' }),
    Vary: 'Origin',
  }).flat();
}
