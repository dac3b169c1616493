import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isDuplicate } from '../../database/database-errors.js';
import { inOneTrip } from '../../database/one-trip.js';
import { lockPlayer } from '../../database/player-lock.js';
import { inTransaction } from '../../database/transaction.js';
import type { GmAddress } from '../game/gm-exchange.js';
import { WithdrawalOpen } from '../withdraw.errors.js';
import { open } from './opening.js';
import type { Limits } from './opening-limits.js';
import { WithdrawalCount } from './withdrawal-count.js';
import { appendEvent, findAlone, findRows, noteEdit, updateRow } from './withdrawal-rows.js';
import {
  type Because,
  eventOf,
  type Opening,
  type Order,
  type Reason,
  updateOf,
} from './withdrawal-statements.js';
import { mayFollow, mayReopen, REOPENED, type WithdrawalStatus } from './withdrawal-states.js';
import { Withdrawal } from './withdrawal.entity.js';

/** What else belongs into the transaction of a step, such as the record of who did it. */
type Also = (manager: EntityManager) => Promise<void>;

/** The states of withdrawals, and their only writer: one conditional statement per step, with its event. */
@Injectable()
export class WithdrawalBook {
  constructor(
    private readonly dataSource: DataSource,
    private readonly count: WithdrawalCount,
  ) {}

  /** Inserts a new one, or finds the one that came with the same key before. */
  async create(
    opening: Opening,
    limits: Limits,
  ): Promise<{ withdrawal: Withdrawal; repeated: boolean }> {
    try {
      const outcome = await open(this.dataSource, opening, limits);
      if (!outcome.repeated) this.count.entered('created');
      return outcome;
    } catch (error) {
      if (isDuplicate(error)) throw new WithdrawalOpen();
      throw error;
    }
  }

  async findByKey(playerId: number, key: string): Promise<Withdrawal | undefined> {
    const condition = 'player_id = ? AND idempotency_key = ?';
    return (await findAlone(this.dataSource, condition, [playerId, key]))[0];
  }

  async findById(id: number): Promise<Withdrawal | undefined> {
    return (await findAlone(this.dataSource, 'id = ?', [id]))[0];
  }

  async findByOrder(orderNo: string): Promise<Withdrawal | undefined> {
    return (await findRows(this.dataSource.manager, 'order_no = ?', [orderNo]))[0];
  }

  /** A player's own, newest first. */
  listOf(playerId: number, before: number | undefined, limit: number): Promise<Withdrawal[]> {
    const older = before === undefined ? '' : 'AND id < ?';
    const condition = `player_id = ? ${older} ORDER BY id DESC LIMIT ?`;
    const values = before === undefined ? [playerId, limit] : [playerId, before, limit];
    return findAlone(this.dataSource, condition, values);
  }

  /** The facts that a withdrawal enters `sending` with. */
  newOrder({ id }: Withdrawal, balanceBefore: number, gm: GmAddress): Order {
    // The random part, six bytes, keeps numbers apart when a restored database counts its ids again.
    const orderNo = `W${id}-${randomUUID().slice(-12)}`;
    const { host: gmHost, port: gmPort, path: gmPath } = gm;
    return { orderNo, balanceBefore, sentAt: new Date(), gmHost, gmPort, gmPath };
  }

  /** created → sending, committed with the order. True for the one who may call. */
  send(withdrawal: Withdrawal, order: Order): Promise<boolean> {
    const because = { cause: 'balance', evidence: `balance ${order.balanceBefore}` } as const;
    return this.move(withdrawal, 'created', 'sending', because, { order });
  }

  /** True when it was in `from` and now is in `to`; false when somebody else moved it first, or the row is another's. */
  async move(
    withdrawal: Withdrawal,
    from: WithdrawalStatus,
    to: WithdrawalStatus,
    because: Because,
    { reason = null, order, also }: { reason?: Reason; order?: Order; also?: Also } = {},
  ): Promise<boolean> {
    if (!mayFollow(from, to)) throw new Error(`A withdrawal never goes from ${from} to ${to}`);
    const step = updateOf(withdrawal, from, to, reason, order);
    const event = eventOf(withdrawal.id, from, to, because);
    // What else belongs to the step needs a transaction of several statements.
    if (!also && (await inOneTrip(this.dataSource, [step, event])))
      return this.adopt(withdrawal, step.changed);
    return this.change(withdrawal, async (manager) => {
      const update = () => updateRow(manager, withdrawal, from, to, reason, order);
      let changed = await update();
      // Nothing matches as well where an edit by SQL has no event yet.
      if (!changed && (await noteEdit(manager, withdrawal, from))) changed = await update();
      if (changed) {
        await appendEvent(manager, withdrawal.id, from, to, because);
        await also?.(manager);
      }
      return changed;
    });
  }

  /**
   * Writes order and outcome to a row that is `created` again because a failover took the step to `sending` back.
   * False where there is no such row.
   */
  restore(
    sent: Withdrawal,
    order: Order,
    to: WithdrawalStatus,
    because: Because,
    reason: Reason,
  ): Promise<boolean> {
    return this.change(sent, async (manager) => {
      const changed = await updateRow(manager, sent, 'created', to, reason, order);
      if (!changed) return undefined;
      const evidence = `balance ${order.balanceBefore}; the database had lost this step`;
      await appendEvent(manager, sent.id, 'created', 'sending', { cause: 'balance', evidence });
      await appendEvent(manager, sent.id, 'sending', to, because);
      return changed;
    });
  }

  /** A person's undo of a wrong settlement. Throws WithdrawalOpen where the role has another open withdrawal. */
  async reopen(withdrawal: Withdrawal, because: Because, also?: Also): Promise<boolean> {
    const { id, playerId, roleId, status } = withdrawal;
    if (!mayReopen(status)) throw new Error(`A withdrawal that is ${status} cannot be reopened`);
    try {
      return await this.change(withdrawal, async (manager) => {
        await lockPlayer(manager, playerId);
        // In any zone: this one may have been merged into another since.
        const condition = 'player_id = ? AND role_id = ? AND is_open = 1 AND id <> ?';
        const others = await findRows(manager, condition, [playerId, roleId, id]);
        if (others.length > 0) throw new WithdrawalOpen();
        await noteEdit(manager, withdrawal, status);
        const changed = await updateRow(manager, withdrawal, status, REOPENED, null);
        if (changed) {
          await appendEvent(manager, id, status, REOPENED, because);
          await also?.(manager);
        }
        return changed;
      });
    } catch (error) {
      if (isDuplicate(error)) throw new WithdrawalOpen();
      throw error;
    }
  }

  /** Records evidence that comes after the outcome was settled, and settles nothing. */
  async remark({ id, status }: Withdrawal, because: Because): Promise<void> {
    await appendEvent(this.dataSource.manager, id, status, status, because);
  }

  /** Appends the events of edits by SQL. */
  async noteEdits(): Promise<void> {
    for (const row of await findRows(this.dataSource.manager, 'edited = 1', []))
      await inTransaction(this.dataSource, (manager) => noteEdit(manager, row, row.status));
  }

  /** One step in a transaction; once it is committed, the object is brought up to date. */
  private async change(
    withdrawal: Withdrawal,
    step: (manager: EntityManager) => Promise<Partial<Withdrawal> | undefined>,
  ): Promise<boolean> {
    const changed = await inTransaction(this.dataSource, step);
    return changed !== undefined && this.adopt(withdrawal, changed);
  }

  private adopt(withdrawal: Withdrawal, changed: Partial<Withdrawal>): true {
    Object.assign(withdrawal, changed);
    this.count.entered(withdrawal.status);
    return true;
  }
}
