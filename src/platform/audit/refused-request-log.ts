import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { monotonicClock } from '../counters/monotonic-clock.js';
import { EventLog, EventLogContext } from './event-log.js';
import { RefusedRequest } from './refused-request.entity.js';

const MINUTE_MS = 60_000;
const MAX_QUEUED = 5000;
const MAX_PER_MINUTE = 1000;
const MAX_ANONYMOUS_PER_MINUTE = 60;
const CODES = '/api/send_code';

type Row = Omit<RefusedRequest, 'id'>;

/**
 * Writes `refused_request`: requests of signed-in players, and for codes, that were answered with an error. Sign-ins
 * are in `login_event`; everything else could be used by strangers to fill the table.
 */
@Injectable()
export class RefusedRequestLog extends EventLog<Row> {
  private readonly minute = { since: -Infinity, rows: 0, anonymous: 0 };

  constructor(context: EventLogContext) {
    super('refused_request', MAX_QUEUED, context);
  }

  readonly middleware: RequestHandler = (request, response, next) => {
    response.once('close', () => this.record(request));
    next();
  };

  protected write(rows: Row[]): Promise<unknown> {
    return this.dataSource.manager.insert(RefusedRequest, rows);
  }

  private record({ context, method, path }: Request): void {
    const { error, playerId, requestId, address } = context;
    if (error === undefined || error === 'too_many_requests' || context.isSignIn) return;
    const isAnonymous = playerId === undefined;
    // A malformed request costs a stranger nothing and would fill the table.
    if (isAnonymous && (path !== CODES || error === 'invalid_request')) return;
    if (!this.hasRoom(isAnonymous)) return this.countDropped(1);
    this.enqueue([
      {
        createdAt: new Date(),
        playerId: playerId ?? null,
        method: method.slice(0, 8),
        path: path.slice(0, 64),
        error,
        address,
        requestId,
      },
    ]);
  }

  /** Strangers have a small quota, so that they cannot use up that of players. */
  private hasRoom(isAnonymous: boolean): boolean {
    const { minute } = this;
    if (monotonicClock.now() - minute.since > MINUTE_MS)
      Object.assign(minute, { since: monotonicClock.now(), rows: 0, anonymous: 0 });
    if (isAnonymous) return minute.anonymous++ < MAX_ANONYMOUS_PER_MINUTE;
    return minute.rows++ < MAX_PER_MINUTE;
  }
}
