import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import { WithdrawalOpen } from '../../../features/withdraw/record/withdraw.errors.js';
import type { TransitionCause } from '../../../features/withdraw/record/withdrawal-rows.js';
import { isFinal } from '../../../features/withdraw/record/withdrawal-status.js';
import { WithdrawalStore } from '../../../features/withdraw/record/withdrawal-store.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { ActionRefused } from '../action-refused.js';
import { withdrawalAuditSubject } from '../events/event-search.js';
import { ApprovalRequest } from '../four-eyes/four-eyes.js';

export const SETTLED_OUTCOMES = ['succeeded', 'failed'] as const;
export type SettledOutcome = (typeof SETTLED_OUTCOMES)[number];

/** Limits a batch of settlements, because operators check the evidence of each withdrawal first. */
export const MAX_TOGETHER = 50;

export interface SettlementResult {
  id: number;
  /** Says why the withdrawal was not settled, or is null if it was. */
  problem: string | null;
}

/** Each change and its `audit_event` are written in one transaction. */
@Injectable()
export class WithdrawalActions {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Settles an unknown withdrawal unless the game server's response has just arrived. Deletes the first operator's
   * request, and settles nothing if that request is gone or differs.
   */
  async settle(
    who: Attribution,
    id: number,
    to: SettledOutcome,
    first?: Attribution & { take: (manager: EntityManager) => Promise<void> },
  ): Promise<void> {
    const row = await this.find(id);
    const request = first && { asked_by: first.by, asked_with: first.note };
    const change = { before: { status: 'unknown' }, after: { status: to, ...request } };
    const extraWrites = async (manager: EntityManager) => {
      await (first ? first.take(manager) : dropRequest(manager, id));
      await this.writeAudit(manager, who, 'withdrawal.settle', id, change);
    };
    // The reason stays empty, because an operator's decision is not a failure of the game server.
    if (await this.store.transition(row, 'unknown', to, causeOf(who, first), { extraWrites }))
      return;
    throw notUnknownError(await this.find(id));
  }

  /** Returns the withdrawals, sorted by id. Throws unless all are unknown and belong to the same server. */
  async findTogether(ids: Iterable<number>): Promise<Withdrawal[]> {
    const rows: Withdrawal[] = [];
    for (const id of [...new Set(ids)].toSorted((one, other) => one - other)) {
      const row = await this.find(id);
      if (row.status !== 'unknown') throw notUnknownError(row);
      rows.push(row);
    }
    const [first] = rows;
    if (rows.some(({ roleServerId }) => roleServerId !== first!.roleServerId))
      throw new ActionRefused('only withdrawals of the same server can be settled together');
    return rows;
  }

  /**
   * Returns one result per withdrawal, because the game server's late response to one must not prevent the settlement
   * of the others.
   */
  async settleEach(
    rows: Withdrawal[],
    settle: (row: Withdrawal) => Promise<void>,
  ): Promise<SettlementResult[]> {
    const results: SettlementResult[] = [];
    for (const row of rows) {
      try {
        await settle(row);
        results.push({ id: row.id, problem: null });
      } catch (error) {
        if (!(error instanceof ActionRefused)) throw error;
        results.push({ id: row.id, problem: error.message });
      }
    }
    return results;
  }

  async reopen(who: Attribution, id: number): Promise<void> {
    const row = await this.find(id);
    const { status, orderNo } = row;
    if (!isFinal(status))
      throw new ActionRefused(`withdrawal ${id} is ${status}; only a settled one can be reopened`);
    if (orderNo === null)
      throw new ActionRefused(`withdrawal ${id} was never sent: there is nothing to find out`);
    const change = { before: { status }, after: { status: 'unknown' } };
    // A request from before the reopening is based on outdated facts.
    const extraWrites = async (manager: EntityManager) => {
      await dropRequest(manager, id);
      await this.writeAudit(manager, who, 'withdrawal.reopen', id, change);
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

  private writeAudit(
    manager: EntityManager,
    who: Attribution,
    act: string,
    id: number,
    change: { before: object; after: object },
  ): Promise<void> {
    return this.audit.write(manager, who, { act, subject: withdrawalAuditSubject(id), ...change });
  }
}

function dropRequest(manager: EntityManager, targetId: number) {
  return manager.delete(ApprovalRequest, { kind: 'withdrawal', targetId });
}

export function notUnknownError({ id, status }: Withdrawal): ActionRefused {
  return new ActionRefused(
    isFinal(status)
      ? `withdrawal ${id} already has the status ${status}; to correct that, reopen it first`
      : `withdrawal ${id} is ${status}; only an unknown one can be settled`,
  );
}

/** Puts the operators' names first, because long notes are truncated. */
function causeOf(who: Attribution, first?: Attribution): TransitionCause {
  const evidence = first
    ? `${first.by} and ${who.by}: ${first.note} / ${who.note}`
    : `${who.by}: ${who.note}`;
  return { cause: 'person', evidence };
}
