import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import type { PlayerIdentity } from '../../../platform/auth/identity.service.js';
import { lockPlayer, lockUnchangedPlayer } from '../../../platform/auth/player-row-lock.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { RowQueue } from '../../../platform/database/row-queue.js';
import { inTransaction, retryConflicts } from '../../../platform/database/transaction.js';
import { EventOutbox } from '../../../platform/events/event-outbox.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { WithdrawalOpen } from './withdraw.errors.js';
import { announceIfFinal, recordSqlEdit } from './withdrawal-sql-edits.js';
import {
  type DailyLimit,
  findOpenInMergedServers,
  ServerRowLocked,
  checkLimits,
  type WithdrawalCaller,
} from './withdrawal-limits.js';
import {
  appendEvent,
  lastStatus,
  type TransitionCause,
  type FailureReason,
  findOrderRow,
  findRows,
  type NewWithdrawal,
  type SentOrder,
  updateRow,
  insertRow,
} from './withdrawal-rows.js';
import {
  canTransition,
  isFinal,
  isReadable,
  REOPENED_STATUS,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from './withdrawal-status.js';
import { Withdrawal } from './withdrawal.entity.js';

// Retries end after this time. The desk locks a server's row for milliseconds, but an SQL client may lock it for hours.
const SERVER_LOCK_RETRY_MS = 1000;

export interface WithdrawalResult {
  withdrawal: Withdrawal;
  /** This is true if an earlier request with the same idempotency key created the withdrawal. */
  repeated: boolean;
}

export interface OrderOutcome {
  status: WithdrawalStatus;
  /** Replaces `status` if the row has become unknown meanwhile. */
  fromUnknown: 'succeeded' | 'failed' | 'unknown';
  reason: FailureReason;
  /** If this is false, a row without an order number does not get one. */
  wasSent?: boolean;
}

export type WithdrawalOwner = Pick<PlayerIdentity, 'id' | 'ver' | 'hasSecondFactor'>;

/** Writes additional rows in a step's transaction, such as the audit event of an operator. */
type ExtraWrites = (manager: EntityManager) => Promise<void>;

/** Makes all changes to withdrawal statuses. Each step is one conditional statement with its event. */
@Injectable()
export class WithdrawalStore {
  private readonly logger = new Logger(WithdrawalStore.name);
  private readonly entered: Counter<'status'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly events: EventOutbox,
    metrics: Metrics,
  ) {
    this.entered = metrics.counter(
      'gatehouse_withdrawals_total',
      'Withdrawals that entered a status',
      ['status', WITHDRAWAL_STATUSES],
    );
  }

  /** Inserts a new withdrawal, or returns the earlier one with the same idempotency key. */
  async create(
    newWithdrawal: NewWithdrawal,
    limits: DailyLimit,
    caller: WithdrawalCaller,
  ): Promise<WithdrawalResult> {
    try {
      const outcome = await this.rowQueue.run(`player ${newWithdrawal.playerId}`, () =>
        retryConflicts(
          () =>
            inTransaction(this.dataSource, (manager) =>
              createUnderLock(manager, newWithdrawal, limits, caller),
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

  listByPlayer(playerId: number, before: number | undefined, limit: number): Promise<Withdrawal[]> {
    const older = before === undefined ? '' : 'AND id < ?';
    const condition = `player_id = ? ${older} ORDER BY id DESC LIMIT ?`;
    const values = before === undefined ? [playerId, limit] : [playerId, before, limit];
    return findRows(this.dataSource.manager, condition, values);
  }

  buildOrder(
    { id }: Withdrawal,
    balanceBefore: number,
    { host, port, path }: { host: string; port: number; path: string },
  ): SentOrder {
    // Six random bytes keep order numbers unique even if a restored database assigns the same ids again.
    const orderNo = `W${id}-${randomUUID().slice(-12)}`;
    const gm = { gmHost: host, gmPort: port, gmPath: path };
    return { orderNo, balanceBefore, sentAt: new Date(), ...gm };
  }

  /**
   * Moves a withdrawal to `sending` and commits its order. The caller may send only if the result is true. It is false
   * if the owner has reset the password or changed the second factors since the request was checked.
   */
  markSending(withdrawal: Withdrawal, order: SentOrder, owner: WithdrawalOwner): Promise<boolean> {
    const cause = { cause: 'balance', evidence: `balance ${order.balanceBefore}` } as const;
    return this.rowQueue.run(`player ${owner.id}`, () =>
      this.transition(withdrawal, 'created', 'sending', cause, { order, owner }),
    );
  }

  /** Returns false if the status has already changed, or if the row now belongs to another withdrawal. */
  async transition(
    withdrawal: Withdrawal,
    from: WithdrawalStatus,
    to: WithdrawalStatus,
    cause: TransitionCause,
    {
      reason = null,
      order,
      owner,
      extraWrites,
    }: {
      reason?: FailureReason;
      order?: SentOrder;
      owner?: WithdrawalOwner;
      extraWrites?: ExtraWrites;
    } = {},
  ): Promise<boolean> {
    if (!canTransition(from, to)) throw new Error(`A withdrawal never goes from ${from} to ${to}`);
    return this.transitionInTransaction(withdrawal, async (manager) => {
      if (owner && !(await lockUnchangedPlayer(manager, owner))) return undefined;
      // An operator may have just set this status by SQL.
      if (from === 'unknown') await recordSqlEdit(manager, this.events, withdrawal);
      const changed = await updateRow(manager, withdrawal, from, to, reason, order);
      if (changed) {
        await appendEvent(manager, withdrawal.id, from, to, cause);
        await announceIfFinal(manager, this.events, Object.assign({}, withdrawal, changed));
        await extraWrites?.(manager);
      }
      return changed;
    });
  }

  /**
   * Writes an outcome to the row of its order, unless the row is final. The sweeper, an SQL edit or a failover may have
   * changed the status. Returns the resulting row, or undefined if the row is lost. Throws if the caller must retry.
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
      this.logger.error(
        `the database had lost that withdrawal ${row.id} was sent; its status is now ${to}`,
      );
    return row;
  }

  /** Closes a withdrawal from any open status. `lost` is an order that a failover removed from the row. */
  close(
    withdrawal: Withdrawal,
    to: WithdrawalStatus,
    cause: TransitionCause,
    reason: FailureReason = null,
    lost?: SentOrder,
  ): Promise<boolean> {
    const { id, status } = withdrawal;
    return this.transitionInTransaction(withdrawal, async (manager) => {
      await recordSqlEdit(manager, this.events, withdrawal);
      const changed = await updateRow(manager, withdrawal, status, to, reason, lost);
      if (!changed) return undefined;
      let from = isReadable(status) ? status : await lastStatus(manager, id);
      if (lost) {
        const evidence = `balance ${lost.balanceBefore}; the database had lost this step`;
        await appendEvent(manager, id, from, 'sending', { cause: 'balance', evidence });
        from = 'sending';
      }
      await appendEvent(manager, id, from, to, cause);
      await announceIfFinal(manager, this.events, Object.assign({}, withdrawal, changed));
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
    if (!isFinal(status)) throw new Error(`A withdrawal that is ${status} cannot be reopened`);
    try {
      return await this.transitionInTransaction(withdrawal, async (manager) => {
        await recordSqlEdit(manager, this.events, withdrawal);
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

  /** Records evidence that arrives after the settlement, without changing the status. */
  async appendEvidence(withdrawal: Withdrawal, cause: TransitionCause): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const { id, status } = (await recordSqlEdit(manager, this.events, withdrawal)) ?? withdrawal;
      await appendEvent(manager, id, status, status, cause);
    });
  }

  /** Runs one step in a transaction and updates the object after the commit. */
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

async function createUnderLock(
  manager: EntityManager,
  newWithdrawal: NewWithdrawal,
  limits: DailyLimit,
  caller: WithdrawalCaller,
): Promise<WithdrawalResult> {
  const { playerId, requestId } = newWithdrawal;
  await lockPlayer(manager, playerId);
  const earlier = await checkLimits(manager, newWithdrawal, limits, caller);
  const [repeated] = earlier ? await findRows(manager, 'id = ?', [earlier]) : [];
  if (repeated) return { withdrawal: repeated, repeated: true };
  const withdrawal = await insertRow(manager, newWithdrawal);
  const evidence = `player ${playerId}, request ${requestId}`;
  await appendEvent(manager, withdrawal.id, null, 'created', { cause: 'request', evidence });
  return { withdrawal, repeated: false };
}
