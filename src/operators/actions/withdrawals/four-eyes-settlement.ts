import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { Settings } from '../../../platform/config/settings.js';
import { latestRows } from '../../../platform/database/sql.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { ActionRefused } from '../action-refused.js';
import { ApprovalRequest, FourEyes, type Proposal } from '../four-eyes/four-eyes.js';
import {
  notUnknownError,
  type SettledOutcome,
  type SettlementResult,
  WithdrawalActions,
} from './withdrawal-actions.js';

export const SETTLE_DECLINE = 'withdrawal.settle-decline';

/** Above `desk.four_eyes_above`, a second operator must choose the same outcome. */
@Injectable()
export class FourEyesSettlement {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly actions: WithdrawalActions,
    private readonly fourEyes: FourEyes,
  ) {}

  needsSecondOperator({ amount }: Pick<Withdrawal, 'amount'>): boolean {
    return this.fourEyes.isOn && amount > this.settings.current.desk.four_eyes_above;
  }

  /** Returns false if the settlement waits for a second operator. */
  async settle(who: Attribution, id: number, outcome: SettledOutcome): Promise<boolean> {
    const row = await this.actions.find(id);
    if (row.status !== 'unknown') throw notUnknownError(row);
    const request = await this.findRequest(row);
    // A small withdrawal has a request if its settlement was proposed together with others.
    if (request) await this.approve(who, request, row, outcome);
    else if (this.needsSecondOperator(row)) return this.requestSettlements(who, [row], outcome);
    else await this.actions.settle(who, id, outcome);
    return true;
  }

  /**
   * Settles withdrawals of one server. If their sum exceeds `desk.four_eyes_above`, a second operator has to approve all
   * or some of them. Returns null if the settlement waits for that operator.
   */
  async settleTogether(
    who: Attribution,
    ids: Iterable<number>,
    outcome: SettledOutcome,
  ): Promise<SettlementResult[] | null> {
    const rows = await this.actions.findTogether(ids);
    const requests = new Map<number, ApprovalRequest>();
    for (const row of rows) {
      const request = await this.findRequest(row);
      if (request) requests.set(row.id, request);
    }
    if (requests.size === 0) {
      const amount = rows.reduce((sum, row) => sum + row.amount, 0);
      if (this.needsSecondOperator({ amount })) await this.requestSettlements(who, rows, outcome);
      else return this.actions.settleEach(rows, ({ id }) => this.actions.settle(who, id, outcome));
      return null;
    }
    if (requests.size < rows.length)
      throw new ActionRefused(
        `some of them are already waiting for a second person: decide these first, without the others: ${[...requests.keys()].join(', ')}`,
      );
    return this.actions.settleEach(rows, (row) =>
      this.approve(who, requests.get(row.id)!, row, outcome),
    );
  }

  cancel(who: Attribution, id: number): Promise<void> {
    return this.fourEyes.cancel(who, 'withdrawal', id, 'withdrawal.settle-cancel', (request) => {
      if (request.operator !== who.by)
        throw new ActionRefused(`${request.operator} has asked for it: decline it instead`);
    });
  }

  /** Removes another operator's proposal. The withdrawal stays unknown, and any operator can make a new proposal. */
  decline(who: Attribution, id: number, outcome: SettledOutcome): Promise<void> {
    return this.fourEyes.cancel(who, 'withdrawal', id, SETTLE_DECLINE, (request) =>
      this.fourEyes.checkSecond(who, request, { proposal: outcome }),
    );
  }

  async findRequest({
    id,
    orderNo,
  }: Pick<Withdrawal, 'id' | 'orderNo'>): Promise<ApprovalRequest | null> {
    const request = await this.fourEyes.find(this.dataSource.manager, 'withdrawal', id);
    return request && request.orderNo === orderNo ? request : null;
  }

  async findRequests(rows: Array<Pick<Withdrawal, 'id'>>): Promise<Map<number, ApprovalRequest>> {
    if (rows.length === 0) return new Map();
    const where = { kind: 'withdrawal' as const, targetId: In(rows.map(({ id }) => id)) };
    const requests = await this.dataSource.manager.findBy(ApprovalRequest, where);
    return new Map(requests.map((request) => [request.targetId, request]));
  }

  /** Proposes all settlements, or none of them if one cannot be proposed. */
  private async requestSettlements(
    who: Attribution,
    rows: Withdrawal[],
    outcome: SettledOutcome,
  ): Promise<false> {
    await inTransaction(this.dataSource, async (manager) => {
      for (const row of rows) {
        // A second operator may have settled the withdrawal since the request was read.
        const now = await manager.findOneOrFail(Withdrawal, {
          where: { id: row.id },
          ...latestRows(manager),
        });
        if (now.status !== 'unknown') throw notUnknownError(now);
        await this.fourEyes.ask(manager, who, proposalOf(row, outcome), 'withdrawal.settle-ask');
      }
    });
    return false;
  }

  private async approve(
    who: Attribution,
    request: ApprovalRequest,
    row: Withdrawal,
    outcome: SettledOutcome,
  ): Promise<void> {
    this.fourEyes.checkSecond(who, request, proposalOf(row, outcome));
    const take = (manager: EntityManager) => this.fourEyes.take(manager, who, request);
    const { operator: by, note } = request;
    await this.actions.settle(who, row.id, outcome, { by, note, take });
  }
}

function proposalOf({ id, orderNo }: Withdrawal, outcome: SettledOutcome): Proposal {
  return { kind: 'withdrawal', targetId: id, orderNo: orderNo!, proposal: outcome };
}
