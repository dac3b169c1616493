import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ErrorName } from '../../platform/http/errors/error-table.js';
import { requestLog } from '../../platform/log/log.js';
import type { DeductionOutcome } from './game/gm-client.js';
import { ServerFailureMetrics } from './game/server-failure-metrics.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { WithdrawalStore } from './record/withdrawal-store.js';
import { WithdrawalOrphans } from './record/withdrawal-orphans.js';
import type { SentOrder } from './record/withdrawal-rows.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import type { WithdrawalStatus } from './record/withdrawal-status.js';

const RESPONSE_TIMEOUT_MS = 4000;
const MAX_RETRY_DELAY_MS = 10_000;

/** What a client is told whose outcome is not stored. */
const NOT_STORED_YET = { status: 'unknown', reason: null, settledAt: null } as const;

interface OutcomeMapping {
  status: WithdrawalStatus;
  /** What it becomes when the sweeper has called it unknown meanwhile. */
  fromUnknown: 'succeeded' | 'failed' | null;
  reason: ErrorName | null;
}

const OUTCOME_MAPPING: Record<DeductionOutcome['kind'], OutcomeMapping> = {
  accepted: { status: 'succeeded', fromUnknown: 'succeeded', reason: null },
  refused: { status: 'refused', fromUnknown: 'failed', reason: 'withdrawal_refused' },
  not_sent: { status: 'failed', fromUnknown: 'failed', reason: 'game_server_unavailable' },
  unknown: { status: 'unknown', fromUnknown: null, reason: null },
};

/** Writes the outcome of a command. Nobody else will ever know it, so it tries until it is written. */
@Injectable()
export class OutcomeRecorder {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly orphans: WithdrawalOrphans,
    private readonly inFlight: InFlightWithdrawals,
    private readonly failures: ServerFailureMetrics,
  ) {}

  /** The withdrawal as stored; as unknown where the database did not take it in the time a client waits. */
  async record(
    sent: Withdrawal,
    order: SentOrder,
    outcome: DeductionOutcome,
    requestId: string,
  ): Promise<Withdrawal> {
    const log = requestLog(requestId, OutcomeRecorder.name);
    this.reportFailure(sent, order, outcome, log);
    const recorded = this.inFlight.track(this.writeWithRetry(sent, order, outcome, log));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), RESPONSE_TIMEOUT_MS);
    });
    const stored = await Promise.race([recorded, late]);
    clearTimeout(timer);
    return stored ?? Object.assign(new Withdrawal(), sent, NOT_STORED_YET);
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
    outcome: DeductionOutcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.write(sent, order, outcome, log);
      } catch (error) {
        log.error(
          `cannot write down ${describeOutcome(sent, order, outcome)}: ${(error as Error).message}`,
        );
        if (this.inFlight.stopSignal.aborted) return undefined;
        const wait = Math.min(2 ** attempt * 100, MAX_RETRY_DELAY_MS);
        await pause(wait, undefined, { signal: this.inFlight.stopSignal }).catch(() => undefined);
      }
    }
  }

  private async write(
    sent: Withdrawal,
    order: SentOrder,
    outcome: DeductionOutcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    const { status, fromUnknown, reason } = OUTCOME_MAPPING[outcome.kind];
    const cause = { cause: 'gm', evidence: outcome.evidence } as const;
    if (await this.store.transition(sent, 'sending', status, cause, { reason })) return sent;
    if (
      fromUnknown &&
      (await this.store.transition(sent, 'unknown', fromUnknown, cause, { reason }))
    )
      return sent;
    const stored = await this.store.findByOrderNo(order.orderNo);
    if (!stored) return this.writeOrphan(sent, order, outcome, log);
    // A commit whose confirmation was lost has done the same before us.
    const agrees = stored.status === status || stored.status === fromUnknown;
    if (outcome.kind !== 'unknown' && !agrees) {
      log.error(
        `withdrawal ${stored.id} was settled ${stored.status}, but the game server says ${outcome.kind} (${outcome.evidence})`,
      );
      await this.store.appendEvidence(stored, cause);
    }
    return stored;
  }

  /** No row bears the order number: a failover took back the step to `sending`, or the whole row. */
  private async writeOrphan(
    sent: Withdrawal,
    order: SentOrder,
    outcome: DeductionOutcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    const { status, reason } = OUTCOME_MAPPING[outcome.kind];
    const cause = { cause: 'gm', evidence: outcome.evidence } as const;
    if (await this.store.restoreAfterFailover(sent, order, status, cause, reason)) {
      log.error(`the database had lost that withdrawal ${sent.id} was sent; it is ${status}`);
      return sent;
    }
    await this.orphans.add(sent, order, outcome);
    log.error(
      { order: Object.assign(new Withdrawal(), sent, order), outcome },
      `the row of ${describeOutcome(sent, order, outcome)} is gone; the order is kept in withdraw_orphan, see to it`,
    );
    return undefined;
  }
}

function describeOutcome(
  { id }: Withdrawal,
  { orderNo }: SentOrder,
  { kind, evidence }: DeductionOutcome,
) {
  return `withdrawal ${id}, order ${orderNo}: ${kind} (${evidence})`;
}
