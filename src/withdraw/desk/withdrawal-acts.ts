import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ActRefused } from '../../journal/act-refused.js';
import { AuditBook, type Operator } from '../../journal/audit-book.js';
import { SettleRequest, type SettledOutcome } from '../record/settle-request.entity.js';
import { WithdrawalBook } from '../record/withdrawal-book.js';
import type { Because } from '../record/withdrawal-statements.js';
import { isFinal } from '../record/withdrawal-states.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';
import { WithdrawalOpen } from '../withdraw.errors.js';

/** What operators do about withdrawals. The act's `audit_event` is in the transaction that moves the withdrawal. */
@Injectable()
export class WithdrawalActs {
  constructor(
    private readonly book: WithdrawalBook,
    private readonly audit: AuditBook,
  ) {}

  /**
   * Only an unknown one: an answer that has just come in wins. With a first person, whose wish it takes: where that is
   * gone or another, nothing is settled.
   */
  async settle(
    who: Operator,
    id: number,
    to: SettledOutcome,
    first?: Operator & { take: (manager: EntityManager) => Promise<void> },
  ): Promise<void> {
    const row = await this.find(id);
    const reason = to === 'failed' ? ('game_server_unavailable' as const) : null;
    const wish = first && { asked_by: first.by, asked_with: first.note };
    const write = this.auditing(
      who,
      'withdrawal.settle',
      id,
      { status: 'unknown' },
      { status: to, ...wish },
    );
    const also = async (manager: EntityManager) => {
      await (first ? first.take(manager) : manager.delete(SettleRequest, { withdrawId: id }));
      await write(manager);
    };
    if (await this.book.move(row, 'unknown', to, because(who, first), { reason, also })) return;
    throw notUnknown(await this.find(id));
  }

  async reopen(who: Operator, id: number): Promise<void> {
    const row = await this.find(id);
    const { status, orderNo } = row;
    if (!isFinal(status))
      throw new ActRefused(`withdrawal ${id} is ${status}; only a settled one can be reopened`);
    if (orderNo === null)
      throw new ActRefused(`withdrawal ${id} was never sent: there is nothing to find out`);
    const write = this.auditing(who, 'withdrawal.reopen', id, { status }, { status: 'unknown' });
    // A wish from before was about what was known then.
    const also = async (manager: EntityManager) => {
      await manager.delete(SettleRequest, { withdrawId: id });
      await write(manager);
    };
    try {
      if (await this.book.reopen(row, because(who), also)) return;
    } catch (error) {
      if (!(error instanceof WithdrawalOpen)) throw error;
      throw new ActRefused(
        `the role of withdrawal ${id} has another open withdrawal: settle that one first`,
        { cause: error },
      );
    }
    throw new ActRefused(`withdrawal ${id} was changed by somebody else meanwhile`);
  }

  async find(id: number): Promise<Withdrawal> {
    const row = await this.book.findById(id);
    if (!row) throw new ActRefused(`there is no withdrawal ${id}`);
    return row;
  }

  private auditing(who: Operator, act: string, id: number, before: object, after: object) {
    const entry = { act, subject: subjectOfWithdrawal(id), before, after };
    return (manager: EntityManager) => this.audit.write(manager, who, entry);
  }
}

export const subjectOfWithdrawal = (id: number) => `withdrawal ${id}`;

export function notUnknown({ id, status }: Withdrawal): ActRefused {
  return new ActRefused(`withdrawal ${id} is ${status}; only an unknown one can be settled`);
}

/** The names first: long notes are cut. */
function because(who: Operator, first?: Operator): Because {
  const evidence = first
    ? `${first.by} and ${who.by}: ${first.note} / ${who.note}`
    : `${who.by}: ${who.note}`;
  return { cause: 'person', evidence };
}
