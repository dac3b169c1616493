import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { monotonicClock } from '../config/time.js';
import type { RequestContext } from '../http/request/request-context.js';
import { log } from '../log/log.js';
import { GameServerCall, PlayerChange, RefusedRequest } from './audit.entity.js';
import { type EventQueue, EventQueues } from './event-queue.js';

const MINUTE_MS = 60_000;
const MAX_QUEUED = 5000;
const MAX_PER_MINUTE = { player: 1000, anonymous: 60, gameServer: 60 };
const CALLS_EVERY_MS = 10_000;
const MAX_DETAIL = 128;
const MAX_REASON = 250;
const MAX_SIGNED_TEXT = 1000;
const CODES = '/api/send_code';
/** Lists errors that clients can cause at no cost and could use to fill the table. */
const FREE_ERRORS = ['invalid_request', 'challenge_required'];
const REPLAYED = {
  reason: 'the signature was used before, and its link was removed since: sign each request anew',
  signedText: null,
};

type RefusedRow = Omit<RefusedRequest, 'id'>;
type ChangeRow = Omit<PlayerChange, 'id'>;

type Sender = keyof typeof MAX_PER_MINUTE;

/**
 * Stores failed requests of signed-in players and game servers and failed requests for codes in `refused_request`, the
 * times of game servers' last calls in `game_server_call`, and players' changes to their accounts in `player_change`.
 * Failed sign-ins are in `login_event` instead. Other anonymous requests are not stored, because clients could fill the
 * table with them.
 */
@Injectable()
export class RequestEventLog {
  private readonly minute = { since: -Infinity, player: 0, anonymous: 0, gameServer: 0 };
  private readonly calls = new Map<string, GameServerCall>();
  private callsStoredAt = -Infinity;
  private readonly refusals: EventQueue<RefusedRow>;
  private readonly changes: EventQueue<ChangeRow>;

  constructor(queues: EventQueues) {
    this.refusals = queues.create<RefusedRow>({
      name: 'refused_request',
      maxQueued: MAX_QUEUED,
      write: (rows) => queues.dataSource.manager.insert(RefusedRequest, rows),
    });
    this.changes = queues.create<ChangeRow>({
      name: 'player_change',
      maxQueued: MAX_QUEUED,
      write: (rows) => queues.dataSource.manager.insert(PlayerChange, rows),
    });
    queues.create<GameServerCall>({
      name: 'game_server_call',
      timeColumn: 'accepted_at',
      maxQueued: MAX_QUEUED,
      write: (rows) => queues.dataSource.manager.upsert(GameServerCall, rows, ['address', 'path']),
      takeDue: (atTheEnd) => this.takeCalls(atTheEnd),
    });
  }

  readonly middleware: RequestHandler = (request, response, next) => {
    response.once('close', () => {
      this.recordChange(request);
      this.recordRefusal(request);
      this.recordCall(request);
    });
    next();
  };

  async flush(): Promise<void> {
    await Promise.all([this.refusals.flush(), this.changes.flush()]);
  }

  /** Records a change even if the request failed afterwards, for example because a second factor must follow. */
  private recordChange({ context }: Request): void {
    const { change, playerId, requestId, address } = context;
    if (!change || playerId === undefined) return;
    const detail = change.detail ? Array.from(change.detail).slice(0, MAX_DETAIL).join('') : null;
    const createdAt = new Date();
    this.changes.add([{ createdAt, playerId, what: change.what, detail, address, requestId }]);
  }

  private recordRefusal({ context, method, path }: Request): void {
    const { error, playerId, requestId, address } = context;
    if (error === undefined || error === 'too_many_requests' || context.isSignIn) return;
    const sender = senderOf(context, path);
    if (!sender) return;
    if (!this.hasRoom(sender)) return this.refusals.countDropped(1);
    const isCall = context.gameServer && error === 'caller_not_allowed';
    const explained = isCall ? (context.gameServer?.explain?.() ?? REPLAYED) : undefined;
    const reason = explained?.reason.slice(0, MAX_REASON) ?? null;
    if (reason !== null)
      log.warn(
        { request_id: requestId, method, path, address },
        `refused a game server's request: ${reason} (see gatehouse events request ${requestId})`,
      );
    this.refusals.add([
      {
        createdAt: new Date(),
        playerId: playerId ?? null,
        method: method.slice(0, 8),
        path: path.slice(0, 64),
        error,
        address,
        requestId,
        reason,
        signedText: explained?.signedText?.slice(0, MAX_SIGNED_TEXT) ?? null,
      },
    ]);
  }

  /** Gives anonymous clients and game servers small quotas, so that they cannot use up the players' quota. */
  private hasRoom(sender: Sender): boolean {
    const { minute } = this;
    if (monotonicClock.now() - minute.since > MINUTE_MS)
      Object.assign(minute, {
        since: monotonicClock.now(),
        player: 0,
        anonymous: 0,
        gameServer: 0,
      });
    return minute[sender]++ < MAX_PER_MINUTE[sender];
  }

  private recordCall({ context, path }: Request): void {
    const { address, gameServer, error } = context;
    if (!gameServer?.isListed || error === 'caller_not_allowed') return;
    const route = path.replace(/\/$/, '').toLowerCase().slice(0, 64);
    const clockSkew = gameServer.clockSkew ?? null;
    this.calls.set(`${address} ${route}`, {
      address,
      path: route,
      acceptedAt: new Date(),
      clockSkew,
    });
  }

  private takeCalls(atTheEnd: boolean): GameServerCall[] {
    if (!atTheEnd && monotonicClock.now() - this.callsStoredAt < CALLS_EVERY_MS) return [];
    this.callsStoredAt = monotonicClock.now();
    const calls = [...this.calls.values()];
    this.calls.clear();
    return calls;
  }
}

/** Returns undefined if the refusal is not stored. */
function senderOf(
  { playerId, error, gameServer }: RequestContext,
  path: string,
): Sender | undefined {
  if (playerId !== undefined) return 'player';
  if (gameServer && error === 'caller_not_allowed')
    return gameServer.isListed ? 'gameServer' : 'anonymous';
  return path === CODES && !FREE_ERRORS.includes(error!) ? 'anonymous' : undefined;
}
