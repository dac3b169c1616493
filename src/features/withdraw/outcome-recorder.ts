import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { requestLog } from '../../platform/log/log.js';
import type { DeductionOutcome } from './game/gm-client.js';
import { ServerFailureMetrics } from './game/server-failure-metrics.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { type OrderOutcome, WithdrawalStore } from './record/withdrawal-store.js';
import { WithdrawalOrphans } from './record/withdrawal-orphans.js';
import type { SentOrder } from './record/withdrawal-rows.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import { WithdrawalMail } from './withdrawal-mail.js';

const RESPONSE_TIMEOUT_MS = 4000;
const MAX_RETRY_DELAY_MS = 10_000;

/** The answer to a client whose outcome could not be stored. */
const NOT_STORED_YET = { status: 'unknown', reason: null, settledAt: null } as const;

/** `given_up`: nothing was sent, but the step to `sending` may have been committed. */
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

/** Writes the outcome of an order. Nobody else knows it, so it retries until it is written. */
@Injectable()
export class OutcomeRecorder {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly orphans: WithdrawalOrphans,
    private readonly inFlight: InFlightWithdrawals,
    private readonly failures: ServerFailureMetrics,
    private readonly mail: WithdrawalMail,
  ) {}

  /** The withdrawal as stored, or as unknown if the database did not accept it while the client waited. */
  async record(
    sent: Withdrawal,
    order: SentOrder,
    outcome: DeductionOutcome,
    requestId: string,
  ): Promise<Withdrawal> {
    const log = requestLog(requestId, OutcomeRecorder.name);
    this.reportFailure(sent, order, outcome, log);
    const recorded = this.inFlight.track(this.writeWithRetry(sent, order, outcome, log));
    const late = pause(RESPONSE_TIMEOUT_MS, undefined, { ref: false });
    const stored = await Promise.race([recorded, late]);
    return stored ?? Object.assign(new Withdrawal(), sent, NOT_STORED_YET);
  }

  /** For an order that will not be sent. Nobody waits for it: the client gets the error that caused this. */
  recordGivenUp(created: Withdrawal, order: SentOrder, requestId: string): void {
    const log = requestLog(requestId, OutcomeRecorder.name);
    const prepared = Object.assign(new Withdrawal(), created, order);
    const outcome = { kind: 'given_up', evidence: 'gave up before sending' } as const;
    void this.inFlight.track(this.writeWithRetry(prepared, order, outcome, log));
  }

  private reportFailure(
    { id, orderNo, roleServerId }: Withdrawal,
    { gmHost, gmPort }: SentOrder,
    { kind, evidence }: DeductionOutcome,
    log: Logger,
  ): void {
    if (kind === 'unknown') {
      this.failures.count(roleServerId, 'unknown');
      log.warn(
        { server: roleServerId },
        `withdrawal ${id}, order ${orderNo}: unknown (${evidence})`,
      );
    }
    if (kind === 'not_sent') {
      this.failures.count(roleServerId, 'not_reached');
      log.warn(
        { server: roleServerId },
        `the GM interface of server ${roleServerId}, ${gmHost}:${gmPort}, cannot be reached: ${evidence}`,
      );
    }
  }

  private async writeWithRetry(
    sent: Withdrawal,
    order: SentOrder,
    outcome: Outcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.write(sent, order, outcome, log);
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

  /** Undefined if the stored status contradicts the outcome or the row is gone: a person is alerted. */
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
      if (kind !== 'given_up') await this.writeOrphan(sent, order, outcome, log);
      return undefined;
    }
    // A commit whose confirmation was lost may already have done the same.
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

  private async writeOrphan(
    sent: Withdrawal,
    order: SentOrder,
    outcome: DeductionOutcome,
    log: Logger,
  ): Promise<void> {
    await this.orphans.add(sent, order, outcome);
    log.error(
      { order: Object.assign(new Withdrawal(), sent, order), outcome },
      `the row of ${describeOutcome(sent, order, outcome)} is gone; the order is kept in withdraw_orphan, see to it`,
    );
  }
}

function describeOutcome({ id }: Withdrawal, { orderNo }: SentOrder, { kind, evidence }: Outcome) {
  return `withdrawal ${id}, order ${orderNo}: ${kind} (${evidence})`;
}
