import { Injectable } from '@nestjs/common';
import { And, DataSource, type EntityManager, Equal, In, Not } from 'typeorm';
import { Settings } from '../../config/settings.js';
import { isDuplicate } from '../../database/database-errors.js';
import { latestRows } from '../../database/latest-rows.js';
import { inTransaction } from '../../database/transaction.js';
import { ActRefused } from '../../journal/act-refused.js';
import { AuditBook, type Operator } from '../../journal/audit-book.js';
import { SettleRequest, type SettledOutcome } from '../record/settle-request.entity.js';
import { Withdrawal } from '../record/withdrawal.entity.js';
import { notUnknown, subjectOfWithdrawal, WithdrawalActs } from './withdrawal-acts.js';

/**
 * Settles for the desk: above `desk.four_eyes_above` the first operator's wish is a row, and a second one with the same
 * outcome settles. That one deletes the row, of another operator and of the same order, in the transaction that moves
 * the withdrawal: without it nothing moves, so of any number at once one settles, and never alone.
 */
@Injectable()
export class SettleByTwo {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly acts: WithdrawalActs,
    private readonly audit: AuditBook,
  ) {}

  needsTwo({ amount }: Pick<Withdrawal, 'amount'>): boolean {
    const { four_eyes_above: above } = this.settings.current.desk;
    return above > 0 && amount > above;
  }

  /** True: it is settled. False: it waits for a second person. */
  async settle(who: Operator, id: number, outcome: SettledOutcome): Promise<boolean> {
    const row = await this.acts.find(id);
    if (row.status !== 'unknown') throw notUnknown(row);
    const wish = await this.wishOf(row);
    if (this.needsTwo(row)) {
      if (!wish) return this.ask(who, row, outcome);
      await this.confirm(who, wish, outcome);
    } else {
      await this.acts.settle(who, id, outcome);
    }
    return true;
  }

  async cancel(who: Operator, id: number): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const wish = await manager.findOneBy(SettleRequest, { withdrawId: id });
      const isTaken = wish && (await manager.delete(SettleRequest, exactly(wish))).affected === 1;
      if (!isTaken) throw new ActRefused(`nobody has asked for withdrawal ${id} to be settled`);
      await this.write(manager, who, 'withdrawal.settle-cancel', id, toState(wish), null);
    });
  }

  async wishOf({ id, orderNo }: Pick<Withdrawal, 'id' | 'orderNo'>): Promise<SettleRequest | null> {
    const wish = await this.dataSource.manager.findOneBy(SettleRequest, { withdrawId: id });
    return wish && wish.orderNo === orderNo ? wish : null;
  }

  async wishesOf(rows: Array<Pick<Withdrawal, 'id'>>): Promise<Map<number, SettleRequest>> {
    if (rows.length === 0) return new Map();
    const where = { withdrawId: In(rows.map(({ id }) => id)) };
    const wishes = await this.dataSource.manager.findBy(SettleRequest, where);
    return new Map(wishes.map((wish) => [wish.withdrawId, wish]));
  }

  private async ask(who: Operator, row: Withdrawal, outcome: SettledOutcome): Promise<false> {
    const { id, orderNo } = row;
    const wish = { withdrawId: id, orderNo: orderNo!, outcome, operator: who.by, note: who.note };
    try {
      await inTransaction(this.dataSource, async (manager) => {
        // Locked: a second person may have settled it since the wish was looked for.
        const now = await manager.findOneOrFail(Withdrawal, {
          where: { id },
          ...latestRows(manager),
        });
        if (now.status !== 'unknown') throw notUnknown(now);
        const earlier = await manager.findOneBy(SettleRequest, { withdrawId: id });
        // Of a row that a failover took back: the id is another withdrawal's now.
        if (earlier && earlier.orderNo !== orderNo)
          await manager.delete(SettleRequest, { withdrawId: id, orderNo: earlier.orderNo });
        await manager.insert(SettleRequest, { ...wish, createdAt: new Date() });
        await this.write(manager, who, 'withdrawal.settle-ask', id, null, toState(wish));
      });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new ActRefused(
        `somebody has just asked for withdrawal ${id} to be settled: look at it again`,
        { cause: error },
      );
    }
    return false;
  }

  private async confirm(
    who: Operator,
    wish: SettleRequest,
    outcome: SettledOutcome,
  ): Promise<void> {
    const { withdrawId: id, operator } = wish;
    if (operator === who.by)
      throw new ActRefused(`${operator} has asked for it already: a second person has to agree`);
    if (wish.outcome !== outcome)
      throw new ActRefused(
        `${operator} asks for ${wish.outcome}, not ${outcome}: agree with each other, or take that wish back first`,
      );
    const take = async (manager: EntityManager) => {
      const taken = { ...exactly(wish), operator: And(Equal(operator), Not(who.by)) };
      if ((await manager.delete(SettleRequest, taken)).affected !== 1)
        throw new ActRefused(`the wish to settle withdrawal ${id} was taken back meanwhile`);
    };
    await this.acts.settle(who, id, outcome, { by: operator, note: wish.note, take });
  }

  private write(
    manager: EntityManager,
    who: Operator,
    act: string,
    id: number,
    before: object | null,
    after: object | null,
  ) {
    return this.audit.write(manager, who, { act, subject: subjectOfWithdrawal(id), before, after });
  }
}

/** That wish and no later one: it may have been taken back meanwhile, and somebody have asked anew. */
function exactly({ withdrawId, orderNo, outcome, operator, note }: SettleRequest) {
  return { withdrawId, orderNo, outcome, operator, note };
}

function toState({
  outcome,
  operator,
  note,
}: Pick<SettleRequest, 'outcome' | 'operator' | 'note'>) {
  return { outcome, asked_by: operator, note };
}
