import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Logger } from 'pino';
import type { ErrorName } from '../../platform/http/errors/error-table.js';
import { ServiceUnavailable } from '../../platform/http/errors/http.errors.js';
import { GracefulShutdown } from '../../platform/http/server/graceful-shutdown.js';
import { requestLog } from '../../platform/log/log.js';
import { type GameRole, GameDatabase } from './game/game-database.js';
import { type DeductionOutcome, GmClient } from './game/gm-client.js';
import { type WithdrawalServer, ServerFailureMetrics } from './game/withdrawal-servers.js';
import { WithdrawalOrphans } from './record/withdrawal-orphans.js';
import type { TransitionCause, SentOrder } from './record/withdrawal-rows.js';
import { isFinal } from './record/withdrawal-status.js';
import {
  WithdrawalStore,
  type OrderOutcome,
  type WithdrawalOwner,
} from './record/withdrawal-store.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import { WithdrawalMail } from './withdrawal-mail.js';

// No command is sent after this time, because a frozen process may resume after another instance has settled the
// withdrawal.
const STALE_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 4000;
const MAX_RETRY_DELAY_MS = 10_000;
const WRITES_PER_SERVER = 8;
// After an abort, the outcomes still have to be recorded.
const RECORDING_GRACE_MS = 2000;

type GameAccountOwner = WithdrawalOwner & { gameAccount: string };

/** The response contains these values if the outcome could not be stored in time. */
const NOT_STORED_YET = { status: 'unknown', reason: null, settledAt: null } as const;

/** `given_up` means that nothing was sent, although the step to `sending` may have been committed. */
type Outcome = DeductionOutcome | { kind: 'given_up'; evidence: string };

const OUTCOME_MAPPING: Record<Outcome['kind'], OrderOutcome> = {
  accepted: { status: 'succeeded', fromUnknown: 'succeeded', reason: null },
  refused: { status: 'refused', fromUnknown: 'failed', reason: 'withdrawal_refused' },
  not_sent: { status: 'failed', fromUnknown: 'failed', reason: 'game_server_unavailable' },
  given_up: {
    status: 'failed',
    fromUnknown: 'failed',
    reason: 'service_unavailable',
    wasSent: false,
  },
  unknown: { status: 'unknown', fromUnknown: 'unknown', reason: null },
};

/**
 * Tracks withdrawals in progress. At shutdown, the service waits for them, even if their clients have disconnected.
 * Then it aborts the remaining calls, which are recorded as unknown.
 */
@Injectable()
export class InFlightWithdrawals implements BeforeApplicationShutdown {
  private readonly work = new Set<Promise<unknown>>();
  private readonly abortController = new AbortController();
  readonly stopSignal = this.abortController.signal;

  constructor(private readonly gracefulStop: GracefulShutdown) {
    // Each running call adds a listener, so the warning about leaks is switched off.
    setMaxListeners(0, this.stopSignal);
  }

  track<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.work.add(settled);
    void settled.then(() => this.work.delete(settled));
    return work;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.waitForAll(this.gracefulStop.timeLeft);
    this.abortController.abort();
    await this.waitForAll(RECORDING_GRACE_MS);
  }

  /** Also waits for work that starts meanwhile, because outcomes are recorded after the game server has responded. */
  private async waitForAll(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.work.size > 0 && performance.now() < deadline) {
      const finished = new AbortController();
      const timeUp = pause(deadline - performance.now(), undefined, { signal: finished.signal });
      await Promise.race([Promise.all(this.work), timeUp.catch(() => undefined)]);
      finished.abort();
    }
  }
}

/** Writes the outcome of an order. Retries until the outcome is stored, because only this process knows it. */
@Injectable()
export class WithdrawalOutcomeService {
  /** Keeps connections free for other requests if a server's orders fail together while their rows are locked. */
  private readonly limits = new Map<number, LimitFunction>();

  constructor(
    private readonly store: WithdrawalStore,
    private readonly orphans: WithdrawalOrphans,
    private readonly inFlight: InFlightWithdrawals,
    private readonly failures: ServerFailureMetrics,
    private readonly mail: WithdrawalMail,
  ) {}

  /** Returns the stored withdrawal, or an unknown one if the outcome could not be stored in time. */
  async record(
    sent: Withdrawal,
    order: SentOrder,
    outcome: DeductionOutcome,
    requestId: string,
  ): Promise<Withdrawal> {
    const log = requestLog(requestId, WithdrawalOutcomeService.name);
    this.reportFailure(sent, order, outcome, log);
    const recorded = this.inFlight.track(this.writeWithRetry(sent, order, outcome, log));
    const late = pause(RESPONSE_TIMEOUT_MS, undefined, { ref: false });
    const stored = await Promise.race([recorded, late]);
    return stored ?? Object.assign(new Withdrawal(), sent, NOT_STORED_YET);
  }

  /** Closes an order that will not be sent. The client does not wait for this, but gets the original error. */
  recordGivenUp(created: Withdrawal, order: SentOrder, requestId: string): void {
    const log = requestLog(requestId, WithdrawalOutcomeService.name);
    const prepared = Object.assign(new Withdrawal(), created, order);
    const outcome = { kind: 'given_up', evidence: 'gave up before sending' } as const;
    void this.inFlight.track(this.writeWithRetry(prepared, order, outcome, log));
  }

  private reportFailure(
    sent: Withdrawal,
    order: SentOrder,
    outcome: DeductionOutcome,
    log: Logger,
  ): void {
    const server = sent.roleServerId;
    if (outcome.kind === 'unknown') {
      this.failures.count(server, 'unknown');
      log.warn({ server }, describeOutcome(sent, order, outcome));
    }
    if (outcome.kind === 'not_sent') {
      const target = `${order.gmHost}:${order.gmPort}`;
      this.failures.count(server, 'not_reached');
      log.warn(
        { server },
        `the GM interface of server ${server}, ${target}, cannot be reached: ${outcome.evidence}`,
      );
    }
  }

  private async writeWithRetry(
    sent: Withdrawal,
    order: SentOrder,
    outcome: Outcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    const limit = this.limits.get(sent.roleServerId) ?? pLimit(WRITES_PER_SERVER);
    this.limits.set(sent.roleServerId, limit);
    for (let attempt = 1; ; attempt++) {
      try {
        return await limit(() => this.write(sent, order, outcome, log));
      } catch (error) {
        log.error(
          `cannot record ${describeOutcome(sent, order, outcome)}: ${(error as Error).message}`,
        );
        if (this.inFlight.stopSignal.aborted) return undefined;
        const wait = Math.min(2 ** attempt * 100, MAX_RETRY_DELAY_MS);
        await pause(wait, undefined, { signal: this.inFlight.stopSignal }).catch(() => undefined);
      }
    }
  }

  /** Returns undefined and logs an error if the stored status contradicts the outcome or the row is lost. */
  private async write(
    sent: Withdrawal,
    order: SentOrder,
    outcome: Outcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    const { kind, evidence } = outcome;
    const mapping = OUTCOME_MAPPING[kind];
    const cause = { cause: kind === 'given_up' ? 'request' : 'gm', evidence } as const;
    const stored = await this.store.settleOrder(sent, order, mapping, cause);
    if (!stored) {
      if (kind === 'given_up') return undefined;
      await this.orphans.add(sent, order, outcome);
      log.error(
        { order: Object.assign(new Withdrawal(), sent, order), outcome },
        `the row of ${describeOutcome(sent, order, outcome)} is gone; an operator must handle the order in withdraw_orphan`,
      );
      return undefined;
    }
    // An earlier attempt may have stored the same status and lost only the confirmation of the commit.
    if ([mapping.status, mapping.fromUnknown].includes(stored.status)) {
      this.mail.announce(stored);
      return stored;
    }
    if (kind !== 'unknown' && kind !== 'given_up') {
      log.error(
        `withdrawal ${stored.id} was settled ${stored.status}, but the game server says ${kind} (${evidence})`,
      );
      await this.store.appendEvidence(stored, cause);
    }
    return undefined;
  }
}

function describeOutcome({ id }: Withdrawal, { orderNo }: SentOrder, { kind, evidence }: Outcome) {
  return `withdrawal ${id}, order ${orderNo}: ${kind} (${evidence})`;
}

/** Executes a recorded withdrawal by reading the balance, sending the command and recording the outcome. */
@Injectable()
export class OrderSendingService {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly gameDatabase: GameDatabase,
    private readonly gm: GmClient,
    private readonly outcomes: WithdrawalOutcomeService,
    private readonly inFlight: InFlightWithdrawals,
  ) {}

  async execute(
    withdrawal: Withdrawal,
    server: WithdrawalServer,
    owner: GameAccountOwner,
    requestId: string,
  ): Promise<Withdrawal> {
    const order = await this.prepare(withdrawal, server, owner, requestId);
    if (!order) return this.reload(withdrawal);
    logOrder(withdrawal, order, requestId);
    const outcome = await this.sendCommand(withdrawal, order, owner.gameAccount);
    return this.outcomes.record(withdrawal, order, outcome, requestId);
  }

  /** Returns the order only if this call moved the withdrawal to `sending`. Only then may the command be sent. */
  private async prepare(
    withdrawal: Withdrawal,
    server: WithdrawalServer,
    owner: GameAccountOwner,
    requestId: string,
  ): Promise<SentOrder | undefined> {
    const { roleId, amount } = withdrawal;
    let role: GameRole | undefined;
    try {
      role = await this.gameDatabase.findRole(server, roleId, owner.gameAccount);
    } catch (error) {
      const evidence = 'the balance could not be read';
      await this.settleUnsent(withdrawal, 'failed', 'game_server_unavailable', evidence);
      throw error;
    }
    if (!role)
      return this.settleUnsent(withdrawal, 'refused', 'role_not_found', 'the role is gone');
    if (role.balance < amount) {
      const evidence = `balance ${role.balance}`;
      return this.settleUnsent(withdrawal, 'refused', 'insufficient_balance', evidence);
    }
    const order = this.store.buildOrder(withdrawal, role.balance, server.gm);
    try {
      if (await this.store.markSending(withdrawal, order, owner)) return order;
      const evidence = 'the account changed before the order was sent';
      return await this.settleUnsent(withdrawal, 'failed', 'service_unavailable', evidence);
    } catch (error) {
      this.outcomes.recordGivenUp(withdrawal, order, requestId);
      throw error;
    }
  }

  private async sendCommand(
    { roleId, amount, roleServerId }: Withdrawal,
    { orderNo, sentAt, gmHost, gmPort, gmPath }: SentOrder,
    gameAccount: string,
  ): Promise<DeductionOutcome> {
    const deduction = { serverId: roleServerId, roleId, account: gameAccount, amount, orderNo };
    const gm = { host: gmHost, port: gmPort, path: gmPath };
    return this.gm.deduct(gm, deduction, this.inFlight.stopSignal, () => staleReason(sentAt));
  }

  private async settleUnsent(
    withdrawal: Withdrawal,
    to: 'refused' | 'failed',
    reason: ErrorName,
    evidence: string,
  ): Promise<undefined> {
    const cause: TransitionCause = { cause: 'balance', evidence };
    await this.store.transition(withdrawal, 'created', to, cause, { reason });
  }

  /** Returns the withdrawal as another process left it. Throws if the row is lost, in which case nothing was sent. */
  private async reload(withdrawal: Withdrawal): Promise<Withdrawal> {
    if (isFinal(withdrawal.status)) return withdrawal;
    const stored = await this.store.findById(withdrawal.id);
    const { playerId, roleId, amount, createdAt } = withdrawal;
    const isSame =
      stored?.playerId === playerId &&
      stored.roleId === roleId &&
      stored.amount === amount &&
      stored.createdAt.getTime() === createdAt.getTime();
    if (!isSame) throw new ServiceUnavailable();
    return stored;
  }
}

/** Logs the order, because a failover may lose the last commits of the database. */
function logOrder(withdrawal: Withdrawal, { orderNo }: SentOrder, requestId: string): void {
  const { id, playerId, roleServerId, roleId, amount } = withdrawal;
  requestLog(requestId, OrderSendingService.name).info(
    { server: roleServerId, order: { orderNo, playerId, roleId, amount } },
    `withdrawal ${id} goes out`,
  );
}

function staleReason(sentAt: Date): string | undefined {
  const age = Date.now() - sentAt.getTime();
  return age > STALE_MS || age < 0 ? `was suspended for ${age} ms before sending` : undefined;
}
