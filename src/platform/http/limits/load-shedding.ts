import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Environment } from '../../config/environment.js';
import { log } from '../../log/log.js';
import { Metrics } from '../../metrics/metrics.js';
import { AppError } from '../errors/app-error.js';
import { errorBody } from '../errors/error-body.js';
import { AppExceptionFilter } from '../errors/exception.filter.js';
import { resolveRequestId } from '../request/request-id.js';
import { GracefulShutdown } from '../server/graceful-shutdown.js';
import { RAW_ERROR_HEADERS } from '../server/security-headers.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { PRIORITIES, type RequestPriority } from './priority.decorator.js';
import { type RequestKind, RoutePriorities } from './route-priorities.js';

const TICK_MS = 20;
const QUIET_MS = 2000;

const BUSY = overloaded();
// Two values, so that clients do not all come back at once.
const [SOON, LATER] = [splitBody(1), splitBody(2)];

/**
 * Turns requests away under overload, before Express sees them: a refusal must cost a fraction of an answer. A request
 * that was admitted is always served.
 */
@Injectable()
export class LoadShedding implements OnModuleDestroy {
  /** Set by `configure-app.ts`, which knows the routes. */
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

  /** False if the request was turned away and has been answered. */
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

  /** Not at each refusal: counting would cost a third as much as the refusal itself. */
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

/** The parts of the body before and after the request id. */
function splitBody(retryAfter: number) {
  const [start, end] = JSON.stringify(errorBody(overloaded(retryAfter), '\n')).split('\\n');
  return { start: start!, end: end!, retryAfter: String(retryAfter) };
}

/** A refusal costs almost nothing, and the duration of an outside call depends on the other server. */
function showsTheQueue({ priority, waitsOutside }: RequestKind, { statusCode }: ServerResponse) {
  return statusCode === 200 && !waitsOutside && priority !== 'other';
}

/** For a front end of another origin. */
function corsHeaders({ FRONTEND_URL, frontEndIsSameSite }: Environment): string[] {
  return Object.entries({
    'Access-Control-Allow-Origin': new URL(FRONTEND_URL).origin,
    'Access-Control-Expose-Headers': 'X-Request-Id,Retry-After',
    ...(frontEndIsSameSite && { 'Access-Control-Allow-Credentials': 'true' }),
    Vary: 'Origin',
  }).flat();
}
