import { Injectable } from '@nestjs/common';
import { ActRefused } from '../../journal/act-refused.js';
import { AuditBook, type Operator } from '../../journal/audit-book.js';
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

  /** Only an unknown one: an answer that has just come in wins. */
  async settle(who: Operator, id: number, to: 'succeeded' | 'failed'): Promise<void> {
    const row = await this.find(id);
    const reason = to === 'failed' ? ('game_server_unavailable' as const) : null;
    const also = this.auditing(who, 'withdrawal.settle', id, { status: 'unknown' }, { status: to });
    if (await this.book.move(row, 'unknown', to, because(who), { reason, also })) return;
    const { status } = await this.find(id);
    throw new ActRefused(`withdrawal ${id} is ${status}; only an unknown one can be settled`);
  }

  async reopen(who: Operator, id: number): Promise<void> {
    const row = await this.find(id);
    const { status, orderNo } = row;
    if (!isFinal(status))
      throw new ActRefused(`withdrawal ${id} is ${status}; only a settled one can be reopened`);
    if (orderNo === null)
      throw new ActRefused(`withdrawal ${id} was never sent: there is nothing to find out`);
    const also = this.auditing(who, 'withdrawal.reopen', id, { status }, { status: 'unknown' });
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

  private auditing(who: Operator, act: string, id: number, before: object, after: object) {
    const entry = { act, subject: `withdrawal ${id}`, before, after };
    return (manager: Parameters<AuditBook['write']>[0]) => this.audit.write(manager, who, entry);
  }

  private async find(id: number): Promise<Withdrawal> {
    const row = await this.book.findById(id);
    if (!row) throw new ActRefused(`there is no withdrawal ${id}`);
    return row;
  }
}

function because({ by, note }: Operator): Because {
  return { cause: 'person', evidence: `${by}: ${note}` };
}
