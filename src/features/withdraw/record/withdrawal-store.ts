import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { RowQueue } from '../../../platform/database/row-queue.js';
import { inTransaction, retryConflicts } from '../../../platform/database/transaction.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { GmAddress } from '../game/gm-exchange.js';
import { WithdrawalOpen } from '../withdraw.errors.js';
import { createWithdrawal, type WithdrawalResult } from './create-withdrawal.js';
import { recordSqlEdit } from './withdrawal-edits.js';
import { appendEvent, lastStatus, type TransitionCause } from './withdrawal-events.js';
import { type DailyLimit, findOpenInMergedServers, ServerRowLocked } from './withdrawal-limits.js';
import {
  type FailureReason,
  findOrderRow,
  findRows,
  type NewWithdrawal,
  type SentOrder,
  updateRow,
} from './withdrawal-rows.js';
import {
  canTransition,
  canReopen,
  isFinal,
  isReadable,
  REOPENED_STATUS,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from './withdrawal-status.js';
import { Withdrawal } from './withdrawal.entity.js';

// An operator's save at the desk takes milliseconds; an SQL client may leave it open for hours.
const SERVER_LOCK_RETRY_MS = 1000;

/** The new values of a row with the outcome of its order. */
export interface OrderOutcome {
  status: WithdrawalStatus;
  /** Applied if it is still unknown by then. */
  fromUnknown: 'succeeded' | 'failed' | 'unknown';
  reason: FailureReason;
  /** False: a row without the order number does not get it. */
  wasSent?: boolean;
}

/** Further writes in the transaction of a step, such as the record of who did it. */
type ExtraWrites = (manager: EntityManager) => Promise<void>;

/** The only writer of withdrawal states: one conditional statement per step, with its event. */
@Injectable()
export class WithdrawalStore {
  private readonly logger = new Logger(WithdrawalStore.name);
  private readonly entered: Counter<'status'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    metrics: Metrics,
  ) {
    this.entered = metrics.counter(
      'gatehouse_withdrawals_total',
      'Withdrawals that entered a status',
      ['status', WITHDRAWAL_STATUSES],
    );
  }

  /** Inserts a new one, or finds the earlier one with the same key. */
  async create(newWithdrawal: NewWithdrawal, limits: DailyLimit): Promise<WithdrawalResult> {
    try {
      const outcome = await this.rowQueue.run(`player ${newWithdrawal.playerId}`, () =>
        retryConflicts(
          () =>
            inTransaction(this.dataSource, (manager) =>
              createWithdrawal(manager, newWithdrawal, limits),
            ),
          (error) => error instanceof ServerRowLocked,
          SERVER_LOCK_RETRY_MS,
        ),
      );
      if (!outcome.repeated) this.entered.inc({ status: 'created' });
      return outcome;
    } catch (error) {
      if (isDuplicateKey(error)) throw new WithdrawalOpen();
      throw error;
    }
  }

  async findByIdempotencyKey(playerId: number, key: string): Promise<Withdrawal | undefined> {
    const condition = 'player_id = ? AND idempotency_key = ?';
    return (await findRows(this.dataSource.manager, condition, [playerId, key]))[0];
  }

  async findById(id: number): Promise<Withdrawal | undefined> {
    return (await findRows(this.dataSource.manager, 'id = ?', [id]))[0];
  }

  /** A player's withdrawals, newest first. */
  listByPlayer(playerId: number, before: number | undefined, limit: number): Promise<Withdrawal[]> {
    const older = before === undefined ? '' : 'AND id < ?';
    const condition = `player_id = ? ${older} ORDER BY id DESC LIMIT ?`;
    const values = before === undefined ? [playerId, limit] : [playerId, before, limit];
    return findRows(this.dataSource.manager, condition, values);
  }

  /** The values with which a withdrawal enters `sending`. */
  buildOrder({ id }: Withdrawal, balanceBefore: number, gm: GmAddress): SentOrder {
    // The random part, six bytes, keeps numbers unique when a restored database assigns ids again.
    const orderNo = `W${id}-${randomUUID().slice(-12)}`;
    const { host: gmHost, port: gmPort, path: gmPath } = gm;
    return { orderNo, balanceBefore, sentAt: new Date(), gmHost, gmPort, gmPath };
  }

  /** created → sending, committed with the order. True for the caller that may send. */
  markSending(withdrawal: Withdrawal, order: SentOrder): Promise<boolean> {
    const cause = { cause: 'balance', evidence: `balance ${order.balanceBefore}` } as const;
    return this.transition(withdrawal, 'created', 'sending', cause, { order });
  }

  /**
   * True if it was in `from` and now is in `to`; false if somebody else changed it first, or the row is another
   * withdrawal.
   */
  async transition(
    withdrawal: Withdrawal,
    from: WithdrawalStatus,
    to: WithdrawalStatus,
    cause: TransitionCause,
    {
      reason = null,
      order,
      extraWrites,
    }: { reason?: FailureReason; order?: SentOrder; extraWrites?: ExtraWrites } = {},
  ): Promise<boolean> {
    if (!canTransition(from, to)) throw new Error(`A withdrawal never goes from ${from} to ${to}`);
    return this.transitionInTransaction(withdrawal, async (manager) => {
      // An unknown one waits for hours, and somebody may have made it so by SQL a moment ago.
      if (from === 'unknown') await recordSqlEdit(manager, withdrawal);
      const changed = await updateRow(manager, withdrawal, from, to, reason, order);
      if (changed) {
        await appendEvent(manager, withdrawal.id, from, to, cause);
        await extraWrites?.(manager);
      }
      return changed;
    });
  }

  /**
   * Writes an outcome to the row of its order unless that is final: the sweeper, an SQL edit or a failover may have
   * changed its status. Returns the resulting row; undefined if the database has lost it. Throws if it must be retried.
   */
  async settleOrder(
    sent: Withdrawal,
    order: SentOrder,
    { status, fromUnknown, reason, wasSent = true }: OrderOutcome,
    cause: TransitionCause,
  ): Promise<Withdrawal | undefined> {
    if (await this.transition(sent, 'sending', status, cause, { reason })) return sent;
    const row = await findOrderRow(this.dataSource.manager, sent, order);
    if (!row || isFinal(row.status)) return row;
    const to = row.status === 'unknown' ? fromUnknown : status;
    if (to === row.status) return row;
    const lost = wasSent && row.orderNo === null ? order : undefined;
    if (!(await this.close(row, to, cause, reason, lost)))
      throw new Error('its status was changed at the same time');
    if (lost)
      this.logger.error(`the database had lost that withdrawal ${row.id} was sent; it is ${to}`);
    return row;
  }

  /** Closes a row from any open status, because an SQL edit may have set any. `lost`: the order that a failover removed. */
  close(
    withdrawal: Withdrawal,
    to: WithdrawalStatus,
    cause: TransitionCause,
    reason: FailureReason = null,
    lost?: SentOrder,
  ): Promise<boolean> {
    const { id, status } = withdrawal;
    return this.transitionInTransaction(withdrawal, async (manager) => {
      await recordSqlEdit(manager, withdrawal);
      const changed = await updateRow(manager, withdrawal, status, to, reason, lost);
      if (!changed) return undefined;
      let from = isReadable(status) ? status : await lastStatus(manager, id);
      if (lost) {
        const evidence = `balance ${lost.balanceBefore}; the database had lost this step`;
        await appendEvent(manager, id, from, 'sending', { cause: 'balance', evidence });
        from = 'sending';
      }
      await appendEvent(manager, id, from, to, cause);
      return changed;
    });
  }

  /** Undoes a wrong settlement. Throws WithdrawalOpen if the role has another open withdrawal. */
  async reopen(
    withdrawal: Withdrawal,
    cause: TransitionCause,
    extraWrites?: ExtraWrites,
  ): Promise<boolean> {
    const { id, status } = withdrawal;
    if (!canReopen(status)) throw new Error(`A withdrawal that is ${status} cannot be reopened`);
    try {
      return await this.transitionInTransaction(withdrawal, async (manager) => {
        await recordSqlEdit(manager, withdrawal);
        const open = await findOpenInMergedServers(manager, withdrawal);
        if (open.some((other) => other !== id)) throw new WithdrawalOpen();
        const changed = await updateRow(manager, withdrawal, status, REOPENED_STATUS, null);
        if (changed) {
          await appendEvent(manager, id, status, REOPENED_STATUS, cause);
          await extraWrites?.(manager);
        }
        return changed;
      });
    } catch (error) {
      if (isDuplicateKey(error)) throw new WithdrawalOpen();
      throw error;
    }
  }

  /** Records evidence that arrives after the settlement, and settles nothing. */
  async appendEvidence(withdrawal: Withdrawal, cause: TransitionCause): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const { id, status } = (await recordSqlEdit(manager, withdrawal)) ?? withdrawal;
      await appendEvent(manager, id, status, status, cause);
    });
  }

  /** One step in a transaction; the object is updated after the commit. */
  private async transitionInTransaction(
    withdrawal: Withdrawal,
    step: (manager: EntityManager) => Promise<Partial<Withdrawal> | undefined>,
  ): Promise<boolean> {
    const changed = await inTransaction(this.dataSource, step);
    if (!changed) return false;
    Object.assign(withdrawal, changed);
    this.entered.inc({ status: withdrawal.status });
    return true;
  }
}
