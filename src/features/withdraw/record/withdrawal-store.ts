import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { lockPlayer } from '../../../platform/auth/player-lock.js';
import { RowQueue } from '../../../platform/database/row-queue.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { GmAddress } from '../game/gm-exchange.js';
import { WithdrawalOpen } from '../withdraw.errors.js';
import { type CreatedWithdrawal, createWithdrawal } from './create-withdrawal.js';
import { recordSqlEdit } from './withdrawal-edits.js';
import { appendEvent, appendMissingEvent, type TransitionCause } from './withdrawal-events.js';
import type { DailyLimit } from './withdrawal-limits.js';
import { WithdrawalMetrics } from './withdrawal-metrics.js';
import {
  type FailureReason,
  findRows,
  type NewWithdrawal,
  type SentOrder,
  updateRow,
} from './withdrawal-rows.js';
import {
  canTransition,
  canReopen,
  REOPENED_STATUS,
  type WithdrawalStatus,
} from './withdrawal-status.js';
import { Withdrawal } from './withdrawal.entity.js';

/** What else belongs into the transaction of a step, such as the record of who did it. */
type ExtraWrites = (manager: EntityManager) => Promise<void>;

/** The states of withdrawals, and their only writer: one conditional statement per step, with its event. */
@Injectable()
export class WithdrawalStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly metrics: WithdrawalMetrics,
  ) {}

  /** Inserts a new one, or finds the one that came with the same key before. */
  async create(newWithdrawal: NewWithdrawal, limits: DailyLimit): Promise<CreatedWithdrawal> {
    try {
      const outcome = await this.rowQueue.run(`player ${newWithdrawal.playerId}`, () =>
        inTransaction(this.dataSource, (manager) =>
          createWithdrawal(manager, newWithdrawal, limits),
        ),
      );
      if (!outcome.repeated) this.metrics.countStatus('created');
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

  async findByOrderNo(orderNo: string): Promise<Withdrawal | undefined> {
    return (await findRows(this.dataSource.manager, 'order_no = ?', [orderNo]))[0];
  }

  /** A player's own, newest first. */
  listByPlayer(playerId: number, before: number | undefined, limit: number): Promise<Withdrawal[]> {
    const older = before === undefined ? '' : 'AND id < ?';
    const condition = `player_id = ? ${older} ORDER BY id DESC LIMIT ?`;
    const values = before === undefined ? [playerId, limit] : [playerId, before, limit];
    return findRows(this.dataSource.manager, condition, values);
  }

  /** The facts that a withdrawal enters `sending` with. */
  buildOrder({ id }: Withdrawal, balanceBefore: number, gm: GmAddress): SentOrder {
    // The random part, six bytes, keeps numbers apart when a restored database counts its ids again.
    const orderNo = `W${id}-${randomUUID().slice(-12)}`;
    const { host: gmHost, port: gmPort, path: gmPath } = gm;
    return { orderNo, balanceBefore, sentAt: new Date(), gmHost, gmPort, gmPath };
  }

  /** created → sending, committed with the order. True for the one who may call. */
  markSending(withdrawal: Withdrawal, order: SentOrder): Promise<boolean> {
    const cause = { cause: 'balance', evidence: `balance ${order.balanceBefore}` } as const;
    return this.transition(withdrawal, 'created', 'sending', cause, { order });
  }

  /** True when it was in `from` and now is in `to`; false when somebody else moved it first, or the row is another's. */
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
      if (from === 'unknown') await lockPlayer(manager, withdrawal.playerId);
      const changed = await updateRow(manager, withdrawal, from, to, reason, order);
      if (changed) {
        if (from === 'unknown') await appendMissingEvent(manager, withdrawal.id, from);
        await appendEvent(manager, withdrawal.id, from, to, cause);
        await extraWrites?.(manager);
      }
      return changed;
    });
  }

  /**
   * Writes order and outcome to a row that is `created` again because a failover took the step to `sending` back.
   * False where there is no such row.
   */
  restoreAfterFailover(
    sent: Withdrawal,
    order: SentOrder,
    to: WithdrawalStatus,
    cause: TransitionCause,
    reason: FailureReason,
  ): Promise<boolean> {
    return this.transitionInTransaction(sent, async (manager) => {
      const changed = await updateRow(manager, sent, 'created', to, reason, order);
      if (!changed) return undefined;
      const evidence = `balance ${order.balanceBefore}; the database had lost this step`;
      await appendEvent(manager, sent.id, 'created', 'sending', { cause: 'balance', evidence });
      await appendEvent(manager, sent.id, 'sending', to, cause);
      return changed;
    });
  }

  /** A person's undo of a wrong settlement. Throws WithdrawalOpen where the role has another open withdrawal. */
  async reopen(
    withdrawal: Withdrawal,
    cause: TransitionCause,
    extraWrites?: ExtraWrites,
  ): Promise<boolean> {
    const { id, playerId, roleId, status } = withdrawal;
    if (!canReopen(status)) throw new Error(`A withdrawal that is ${status} cannot be reopened`);
    try {
      return await this.transitionInTransaction(withdrawal, async (manager) => {
        await lockPlayer(manager, playerId);
        // In any server: this one may have been merged into another since.
        const condition = 'player_id = ? AND role_id = ? AND is_open = 1 AND id <> ?';
        const others = await findRows(manager, condition, [playerId, roleId, id]);
        if (others.length > 0) throw new WithdrawalOpen();
        const changed = await updateRow(manager, withdrawal, status, REOPENED_STATUS, null);
        if (changed) {
          await appendMissingEvent(manager, id, status);
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

  /** Records evidence that comes after the outcome was settled, and settles nothing. */
  async appendEvidence(withdrawal: Withdrawal, cause: TransitionCause): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const { id, status } = (await recordSqlEdit(manager, withdrawal)) ?? withdrawal;
      await appendEvent(manager, id, status, status, cause);
    });
  }

  /** One step in a transaction; once it is committed, the object is brought up to date. */
  private async transitionInTransaction(
    withdrawal: Withdrawal,
    step: (manager: EntityManager) => Promise<Partial<Withdrawal> | undefined>,
  ): Promise<boolean> {
    const changed = await inTransaction(this.dataSource, step);
    if (!changed) return false;
    Object.assign(withdrawal, changed);
    this.metrics.countStatus(withdrawal.status);
    return true;
  }
}
