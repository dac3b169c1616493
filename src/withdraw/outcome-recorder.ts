import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ErrorName } from '../http/errors/error-table.js';
import { requestLog } from '../log/log.js';
import type { DeductionOutcome } from './game/gm-client.js';
import { ZoneFailures } from './game/zone-failures.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { WithdrawalBook } from './record/withdrawal-book.js';
import { WithdrawalOrphans } from './record/withdrawal-orphans.js';
import type { Order } from './record/withdrawal-statements.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import type { WithdrawalStatus } from './record/withdrawal-states.js';

const ANSWER_WITHIN_MS = 4000;
const LONGEST_PAUSE_MS = 10_000;

/** What a client is told whose outcome is not stored. */
const UNTOLD = { status: 'unknown', reason: null, settledAt: null } as const;

interface Meaning {
  status: WithdrawalStatus;
  /** What it becomes when the sweeper has called it unknown meanwhile. */
  fromUnknown: 'succeeded' | 'failed' | null;
  reason: ErrorName | null;
}

const MEANING: Record<DeductionOutcome['kind'], Meaning> = {
  accepted: { status: 'succeeded', fromUnknown: 'succeeded', reason: null },
  refused: { status: 'refused', fromUnknown: 'failed', reason: 'withdrawal_refused' },
  not_sent: { status: 'failed', fromUnknown: 'failed', reason: 'game_server_unavailable' },
  unknown: { status: 'unknown', fromUnknown: null, reason: null },
};

/** Writes the outcome of a command. Nobody else will ever know it, so it tries until it is written. */
@Injectable()
export class OutcomeRecorder {
  constructor(
    private readonly book: WithdrawalBook,
    private readonly orphans: WithdrawalOrphans,
    private readonly inFlight: InFlightWithdrawals,
    private readonly failures: ZoneFailures,
  ) {}

  /** The withdrawal as stored; as unknown where the database did not take it in the time a client waits. */
  async record(
    sent: Withdrawal,
    order: Order,
    outcome: DeductionOutcome,
    requestId: string,
  ): Promise<Withdrawal> {
    const log = requestLog(requestId, OutcomeRecorder.name);
    this.tellFailure(sent, order, outcome, log);
    const recorded = this.inFlight.track(this.keepTrying(sent, order, outcome, log));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
    });
    const stored = await Promise.race([recorded, late]);
    clearTimeout(timer);
    return stored ?? Object.assign(new Withdrawal(), sent, UNTOLD);
  }

  private tellFailure(
    { id, orderNo, zoneId }: Withdrawal,
    { gmHost, gmPort }: Order,
    { kind, evidence }: DeductionOutcome,
    log: Logger,
  ): void {
    if (kind === 'unknown') {
      this.failures.count(zoneId, 'unknown');
      log.warn({ zone: zoneId }, `withdrawal ${id}, order ${orderNo}: unknown (${evidence})`);
    }
    if (kind === 'not_sent') {
      this.failures.count(zoneId, 'not_reached');
      log.warn(
        { zone: zoneId },
        `the game server of zone ${zoneId}, ${gmHost}:${gmPort}, cannot be reached: ${evidence}`,
      );
    }
  }

  private async keepTrying(
    sent: Withdrawal,
    order: Order,
    outcome: DeductionOutcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.write(sent, order, outcome, log);
      } catch (error) {
        log.error(`cannot write down ${tell(sent, order, outcome)}: ${(error as Error).message}`);
        if (this.inFlight.stopped.aborted) return undefined;
        const wait = Math.min(2 ** attempt * 100, LONGEST_PAUSE_MS);
        await pause(wait, undefined, { signal: this.inFlight.stopped }).catch(() => undefined);
      }
    }
  }

  private async write(
    sent: Withdrawal,
    order: Order,
    outcome: DeductionOutcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    const { status, fromUnknown, reason } = MEANING[outcome.kind];
    const because = { cause: 'gm', evidence: outcome.evidence } as const;
    if (await this.book.move(sent, 'sending', status, because, { reason })) return sent;
    if (fromUnknown && (await this.book.move(sent, 'unknown', fromUnknown, because, { reason })))
      return sent;
    const stored = await this.book.findByOrder(order.orderNo);
    if (!stored) return this.writeWithoutRow(sent, order, outcome, log);
    // A commit whose confirmation was lost has done the same before us.
    const agrees = stored.status === status || stored.status === fromUnknown;
    if (outcome.kind !== 'unknown' && !agrees) {
      log.error(
        `withdrawal ${stored.id} was settled ${stored.status}, but the game server says ${outcome.kind} (${outcome.evidence})`,
      );
      await this.book.remark(stored, because);
    }
    return stored;
  }

  /** No row bears the order number: a failover took back the step to `sending`, or the whole row. */
  private async writeWithoutRow(
    sent: Withdrawal,
    order: Order,
    outcome: DeductionOutcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    const { status, reason } = MEANING[outcome.kind];
    const because = { cause: 'gm', evidence: outcome.evidence } as const;
    if (await this.book.restore(sent, order, status, because, reason)) {
      log.error(`the database had lost that withdrawal ${sent.id} was sent; it is ${status}`);
      return sent;
    }
    await this.orphans.keep(sent, order, outcome);
    log.error(
      { order: Object.assign(new Withdrawal(), sent, order), outcome },
      `the row of ${tell(sent, order, outcome)} is gone; the order is kept in withdraw_orphan, see to it`,
    );
    return undefined;
  }
}

function tell({ id }: Withdrawal, { orderNo }: Order, { kind, evidence }: DeductionOutcome) {
  return `withdrawal ${id}, order ${orderNo}: ${kind} (${evidence})`;
}
