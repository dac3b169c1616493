import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ErrorName } from '../http/errors/error-table.js';
import { requestLog } from '../log/log.js';
import type { DeductionOutcome } from './game/gm-client.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { WithdrawalBook } from './record/withdrawal-book.js';
import type { Withdrawal } from './record/withdrawal.entity.js';
import type { WithdrawalStatus } from './record/withdrawal-states.js';

const ANSWER_WITHIN_MS = 4000;
const LONGEST_PAUSE_MS = 10_000;

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

/** Writes down what became of a command. Nobody else will ever know it, so it tries until it is written. */
@Injectable()
export class OutcomeRecorder {
  constructor(
    private readonly book: WithdrawalBook,
    private readonly inFlight: InFlightWithdrawals,
  ) {}

  /** The withdrawal as stored; as unknown where the database did not take it in the time a client waits. */
  async record(
    sent: Withdrawal,
    outcome: DeductionOutcome,
    requestId: string,
  ): Promise<Withdrawal> {
    const log = requestLog(requestId, OutcomeRecorder.name);
    if (outcome.kind === 'unknown')
      log.warn(`withdrawal ${sent.id}, order ${sent.orderNo}: unknown (${outcome.evidence})`);
    const recorded = this.inFlight.track(this.keepTrying(sent, outcome, log));
    const patience = new AbortController();
    const late = pause(ANSWER_WITHIN_MS, undefined, patience).catch(() => undefined);
    const stored = await Promise.race([recorded, late]);
    patience.abort();
    return stored ?? Object.assign(sent, { status: 'unknown' as const });
  }

  private async keepTrying(
    sent: Withdrawal,
    outcome: DeductionOutcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.write(sent, outcome, log);
      } catch (error) {
        const { id, orderNo } = sent;
        const told = `withdrawal ${id}, order ${orderNo}: ${outcome.kind} (${outcome.evidence})`;
        log.error(`cannot write down ${told}: ${(error as Error).message}`);
        if (this.inFlight.stopped.aborted) return undefined;
        const wait = Math.min(2 ** attempt * 100, LONGEST_PAUSE_MS);
        await pause(wait, undefined, { signal: this.inFlight.stopped }).catch(() => undefined);
      }
    }
  }

  private async write(
    sent: Withdrawal,
    { kind, evidence }: DeductionOutcome,
    log: Logger,
  ): Promise<Withdrawal | undefined> {
    const { id } = sent;
    const { status, fromUnknown, reason } = MEANING[kind];
    const because = { cause: 'gm', evidence } as const;
    const written =
      (await this.book.move(id, 'sending', status, because, { reason })) ||
      (fromUnknown && (await this.book.move(id, 'unknown', fromUnknown, because, { reason })));
    const stored = await this.book.findById(id);
    if (!stored) {
      log.error(
        `withdrawal ${id}, order ${sent.orderNo} was deleted, but the game server says ${kind} (${evidence})`,
      );
      return undefined;
    }
    // A commit whose confirmation was lost has done the same before us.
    if (
      !written &&
      kind !== 'unknown' &&
      stored.status !== status &&
      stored.status !== fromUnknown
    ) {
      log.error(
        `withdrawal ${id} was settled ${stored.status}, but the game server says ${kind} (${evidence})`,
      );
      await this.book.remark(stored, because);
    }
    return stored;
  }
}
