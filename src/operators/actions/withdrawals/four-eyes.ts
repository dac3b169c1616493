import { Injectable } from '@nestjs/common';
import { And, DataSource, type EntityManager, Equal, In, Not } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { latestRows } from '../../../platform/database/latest-rows.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActionRefused } from '../action-refused.js';
import { AuditLog, type Attribution } from '../../../platform/audit/audit-log.js';
import { SettleRequest, type SettledOutcome } from './settle-request.entity.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import {
  notUnknownError,
  withdrawalAuditSubject,
  WithdrawalActions,
} from './withdrawal-actions.js';

/**
 * Settles for the desk: above `desk.four_eyes_above` the first operator's request is a row, and a second one with the same
 * outcome settles. That one deletes the row, of another operator and of the same order, in the transaction that moves
 * the withdrawal: without it nothing moves, so of any number at once one settles, and never alone.
 */
@Injectable()
export class FourEyesSettlement {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly actions: WithdrawalActions,
    private readonly audit: AuditLog,
  ) {}

  needsSecondOperator({ amount }: Pick<Withdrawal, 'amount'>): boolean {
    const { four_eyes_above: above } = this.settings.current.desk;
    return above > 0 && amount > above;
  }

  /** True: it is settled. False: it waits for a second person. */
  async settle(who: Attribution, id: number, outcome: SettledOutcome): Promise<boolean> {
    const row = await this.actions.find(id);
    if (row.status !== 'unknown') throw notUnknownError(row);
    const request = await this.findRequest(row);
    if (this.needsSecondOperator(row)) {
      if (!request) return this.requestSettlement(who, row, outcome);
      await this.approve(who, request, outcome);
    } else {
      await this.actions.settle(who, id, outcome);
    }
    return true;
  }

  async cancel(who: Attribution, id: number): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const request = await manager.findOneBy(SettleRequest, { withdrawId: id });
      const isTaken =
        request && (await manager.delete(SettleRequest, exactMatch(request))).affected === 1;
      if (!isTaken) throw new ActionRefused(`nobody has asked for withdrawal ${id} to be settled`);
      await this.writeAudit(
        manager,
        who,
        'withdrawal.settle-cancel',
        id,
        toAuditState(request),
        null,
      );
    });
  }

  async findRequest({
    id,
    orderNo,
  }: Pick<Withdrawal, 'id' | 'orderNo'>): Promise<SettleRequest | null> {
    const request = await this.dataSource.manager.findOneBy(SettleRequest, { withdrawId: id });
    return request && request.orderNo === orderNo ? request : null;
  }

  async findRequests(rows: Array<Pick<Withdrawal, 'id'>>): Promise<Map<number, SettleRequest>> {
    if (rows.length === 0) return new Map();
    const where = { withdrawId: In(rows.map(({ id }) => id)) };
    const requests = await this.dataSource.manager.findBy(SettleRequest, where);
    return new Map(requests.map((request) => [request.withdrawId, request]));
  }

  private async requestSettlement(
    who: Attribution,
    row: Withdrawal,
    outcome: SettledOutcome,
  ): Promise<false> {
    const { id, orderNo } = row;
    const request = {
      withdrawId: id,
      orderNo: orderNo!,
      outcome,
      operator: who.by,
      note: who.note,
    };
    try {
      await inTransaction(this.dataSource, async (manager) => {
        // Locked: a second person may have settled it since the request was looked for.
        const now = await manager.findOneOrFail(Withdrawal, {
          where: { id },
          ...latestRows(manager),
        });
        if (now.status !== 'unknown') throw notUnknownError(now);
        const earlier = await manager.findOneBy(SettleRequest, { withdrawId: id });
        // Of a row that a failover took back: the id is another withdrawal's now.
        if (earlier && earlier.orderNo !== orderNo)
          await manager.delete(SettleRequest, { withdrawId: id, orderNo: earlier.orderNo });
        await manager.insert(SettleRequest, { ...request, createdAt: new Date() });
        await this.writeAudit(
          manager,
          who,
          'withdrawal.settle-ask',
          id,
          null,
          toAuditState(request),
        );
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new ActionRefused(
        `somebody has just asked for withdrawal ${id} to be settled: look at it again`,
        { cause: error },
      );
    }
    return false;
  }

  private async approve(
    who: Attribution,
    request: SettleRequest,
    outcome: SettledOutcome,
  ): Promise<void> {
    const { withdrawId: id, operator } = request;
    if (operator === who.by)
      throw new ActionRefused(`${operator} has asked for it already: a second person has to agree`);
    if (request.outcome !== outcome)
      throw new ActionRefused(
        `${operator} asks for ${request.outcome}, not ${outcome}: agree with each other, or cancel that request first`,
      );
    const take = async (manager: EntityManager) => {
      const taken = { ...exactMatch(request), operator: And(Equal(operator), Not(who.by)) };
      if ((await manager.delete(SettleRequest, taken)).affected !== 1)
        throw new ActionRefused(`the request to settle withdrawal ${id} was taken back meanwhile`);
    };
    await this.actions.settle(who, id, outcome, { by: operator, note: request.note, take });
  }

  private writeAudit(
    manager: EntityManager,
    who: Attribution,
    act: string,
    id: number,
    before: object | null,
    after: object | null,
  ) {
    return this.audit.write(manager, who, {
      act,
      subject: withdrawalAuditSubject(id),
      before,
      after,
    });
  }
}

/** That request and no later one: it may have been taken back meanwhile, and somebody have asked anew. */
function exactMatch({ withdrawId, orderNo, outcome, operator, note }: SettleRequest) {
  return { withdrawId, orderNo, outcome, operator, note };
}

function toAuditState({
  outcome,
  operator,
  note,
}: Pick<SettleRequest, 'outcome' | 'operator' | 'note'>) {
  return { outcome, asked_by: operator, note };
}
