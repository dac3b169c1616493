import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { latestRows } from '../../../platform/database/latest-rows.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { ActionRefused } from '../action-refused.js';
import { ApprovalRequest } from '../four-eyes/approval-request.entity.js';
import { FourEyes, type Proposal } from '../four-eyes/four-eyes.js';
import type { SettledOutcome } from './settled-outcome.js';
import { notUnknownError, WithdrawalActions } from './withdrawal-actions.js';

export const SETTLE_DECLINE = 'withdrawal.settle-decline';

/** Settles for the desk: above `desk.four_eyes_above` a second operator has to settle the same way. */
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

  /** True: it is settled. False: it waits for a second operator. */
  async settle(who: Attribution, id: number, outcome: SettledOutcome): Promise<boolean> {
    const row = await this.actions.find(id);
    if (row.status !== 'unknown') throw notUnknownError(row);
    const request = await this.findRequest(row);
    if (this.needsSecondOperator(row)) {
      if (!request) return this.requestSettlement(who, row, outcome);
      await this.approve(who, request, row, outcome);
    } else {
      await this.actions.settle(who, id, outcome);
    }
    return true;
  }

  /** Only one's own proposal. */
  cancel(who: Attribution, id: number): Promise<void> {
    return this.fourEyes.cancel(who, 'withdrawal', id, 'withdrawal.settle-cancel', (request) => {
      if (request.operator !== who.by)
        throw new ActionRefused(`${request.operator} has asked for it: decline it instead`);
    });
  }

  /** Another operator disagrees with this outcome. The withdrawal stays unknown, and anybody can propose again. */
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

  private async requestSettlement(
    who: Attribution,
    row: Withdrawal,
    outcome: SettledOutcome,
  ): Promise<false> {
    await inTransaction(this.dataSource, async (manager) => {
      // Locked: a second operator may have settled it since the request was read.
      const now = await manager.findOneOrFail(Withdrawal, {
        where: { id: row.id },
        ...latestRows(manager),
      });
      if (now.status !== 'unknown') throw notUnknownError(now);
      await this.fourEyes.ask(manager, who, proposalOf(row, outcome), 'withdrawal.settle-ask');
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
