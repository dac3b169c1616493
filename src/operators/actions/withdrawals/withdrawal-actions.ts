import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ActionRefused } from '../action-refused.js';
import { withdrawalAuditSubject } from '../audit-subjects.js';
import { AuditLog, type Attribution } from '../../../platform/audit/audit-log.js';
import { ApprovalRequest } from '../four-eyes/approval-request.entity.js';
import type { SettledOutcome } from './settled-outcome.js';
import { WithdrawalStore } from '../../../features/withdraw/record/withdrawal-store.js';
import type { TransitionCause } from '../../../features/withdraw/record/withdrawal-events.js';
import { isFinal } from '../../../features/withdraw/record/withdrawal-status.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { WithdrawalOpen } from '../../../features/withdraw/withdraw.errors.js';

/** Acts about withdrawals. The act's `audit_event` is in the transaction that changes the withdrawal. */
@Injectable()
export class WithdrawalActions {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Only an unknown one: an answer that has just arrived wins. With a first operator, it consumes that request: if it
   * is gone or differs, nothing is settled.
   */
  async settle(
    who: Attribution,
    id: number,
    to: SettledOutcome,
    first?: Attribution & { take: (manager: EntityManager) => Promise<void> },
  ): Promise<void> {
    const row = await this.find(id);
    const reason = to === 'failed' ? ('game_server_unavailable' as const) : null;
    const request = first && { asked_by: first.by, asked_with: first.note };
    const writeAudit = this.auditWriter(
      who,
      'withdrawal.settle',
      id,
      { status: 'unknown' },
      { status: to, ...request },
    );
    const extraWrites = async (manager: EntityManager) => {
      await (first ? first.take(manager) : dropRequest(manager, id));
      await writeAudit(manager);
    };
    if (
      await this.store.transition(row, 'unknown', to, causeOf(who, first), { reason, extraWrites })
    )
      return;
    throw notUnknownError(await this.find(id));
  }

  async reopen(who: Attribution, id: number): Promise<void> {
    const row = await this.find(id);
    const { status, orderNo } = row;
    if (!isFinal(status))
      throw new ActionRefused(`withdrawal ${id} is ${status}; only a settled one can be reopened`);
    if (orderNo === null)
      throw new ActionRefused(`withdrawal ${id} was never sent: there is nothing to find out`);
    const writeAudit = this.auditWriter(
      who,
      'withdrawal.reopen',
      id,
      { status },
      { status: 'unknown' },
    );
    // An older request was based on what was known then.
    const extraWrites = async (manager: EntityManager) => {
      await dropRequest(manager, id);
      await writeAudit(manager);
    };
    try {
      if (await this.store.reopen(row, causeOf(who), extraWrites)) return;
    } catch (error) {
      if (!(error instanceof WithdrawalOpen)) throw error;
      throw new ActionRefused(
        `the role of withdrawal ${id} has another open withdrawal: settle that one first`,
        { cause: error },
      );
    }
    throw new ActionRefused(`withdrawal ${id} was changed by somebody else meanwhile`);
  }

  async find(id: number): Promise<Withdrawal> {
    const row = await this.store.findById(id);
    if (!row) throw new ActionRefused(`there is no withdrawal ${id}`);
    return row;
  }

  private auditWriter(who: Attribution, act: string, id: number, before: object, after: object) {
    const entry = { act, subject: withdrawalAuditSubject(id), before, after };
    return (manager: EntityManager) => this.audit.write(manager, who, entry);
  }
}

function dropRequest(manager: EntityManager, targetId: number) {
  return manager.delete(ApprovalRequest, { kind: 'withdrawal', targetId });
}

export function notUnknownError({ id, status }: Withdrawal): ActionRefused {
  return new ActionRefused(
    isFinal(status)
      ? `withdrawal ${id} is ${status} already; to correct that, reopen it first`
      : `withdrawal ${id} is ${status}; only an unknown one can be settled`,
  );
}

/** The names come first, because long notes are cut. */
function causeOf(who: Attribution, first?: Attribution): TransitionCause {
  const evidence = first
    ? `${first.by} and ${who.by}: ${first.note} / ${who.note}`
    : `${who.by}: ${who.note}`;
  return { cause: 'person', evidence };
}
