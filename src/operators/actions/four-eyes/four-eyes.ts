import { Injectable } from '@nestjs/common';
import { And, DataSource, type EntityManager, Equal, Not } from 'typeorm';
import { AuditLog, type Attribution } from '../../../platform/audit/audit-log.js';
import { Settings } from '../../../platform/config/settings.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActionRefused } from '../action-refused.js';
import { ApprovalRequest, type ApprovedKind } from './approval-request.entity.js';

/** A proposed act. Equal proposals have equal text. */
export type Proposal = Pick<ApprovalRequest, 'kind' | 'targetId' | 'orderNo' | 'proposal'>;

/**
 * The first operator's proposal is a row. The second operator's act deletes it in its transaction, if the operator
 * differs and the proposal is the same; otherwise nothing is done. So of many concurrent acts one succeeds, and never
 * by one person alone.
 */
@Injectable()
export class FourEyes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly audit: AuditLog,
  ) {}

  get isOn(): boolean {
    return this.settings.current.desk.four_eyes_above > 0;
  }

  find(manager: EntityManager, kind: ApprovedKind, targetId: number) {
    return manager.findOneBy(ApprovalRequest, { kind, targetId });
  }

  findAll(kind: ApprovedKind): Promise<ApprovalRequest[]> {
    return this.dataSource.manager.findBy(ApprovalRequest, { kind });
  }

  async ask(manager: EntityManager, who: Attribution, proposal: Proposal, act: string) {
    const request = { ...proposal, operator: who.by, note: who.note };
    const { kind, targetId, orderNo } = proposal;
    // The proposal for a row that a failover undid: the id now belongs to another.
    await manager.delete(ApprovalRequest, { kind, targetId, orderNo: Not(orderNo) });
    try {
      await manager.insert(ApprovalRequest, { ...request, createdAt: new Date() });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new ActionRefused(
        `another request for ${kind} ${targetId} was made at the same time: reload and check it`,
        { cause: error },
      );
    }
    await this.writeAudit(manager, who, act, request, null, toAuditState(request));
  }

  /** Consumes the first operator's proposal, in the transaction of the act. */
  async take(manager: EntityManager, { by }: Attribution, request: ApprovalRequest) {
    const { kind, targetId, operator } = request;
    const taken = { ...exactMatch(request), operator: And(Equal(operator), Not(by)) };
    if ((await manager.delete(ApprovalRequest, taken)).affected !== 1)
      throw new ActionRefused(`the request for ${kind} ${targetId} was cancelled in the meantime`);
  }

  /** After an act that needed no agreement: nobody must agree to it later. */
  async drop(manager: EntityManager, { kind, targetId, orderNo, proposal }: Proposal) {
    await manager.delete(ApprovalRequest, { kind, targetId, orderNo, proposal });
  }

  /** Refuses the first operator, and a second one with another proposal. */
  checkSecond(
    { by }: Attribution,
    request: ApprovalRequest,
    { proposal }: Pick<Proposal, 'proposal'>,
  ): void {
    const { operator } = request;
    if (operator === by)
      throw new ActionRefused(`${operator} has asked for it already: a second person has to agree`);
    if (request.proposal !== proposal)
      throw new ActionRefused(
        `${operator} asks for ${request.proposal}, not ${proposal}: agree with each other, or cancel that request first`,
      );
  }

  /** `check` throws if this operator must not remove the request. */
  async cancel(
    who: Attribution,
    kind: ApprovedKind,
    targetId: number,
    act: string,
    check: (request: ApprovalRequest) => void = () => {},
  ): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const request = await this.find(manager, kind, targetId);
      if (request) check(request);
      const isTaken =
        request && (await manager.delete(ApprovalRequest, exactMatch(request))).affected === 1;
      if (!isTaken) throw new ActionRefused(`there is no request for ${kind} ${targetId}`);
      await this.writeAudit(manager, who, act, request, toAuditState(request), null);
    });
  }

  private writeAudit(
    manager: EntityManager,
    who: Attribution,
    act: string,
    { kind, targetId }: Proposal,
    before: object | null,
    after: object | null,
  ) {
    // Not under the server itself: the server's last event must describe its row.
    const subject = kind === 'server' ? `request for server ${targetId}` : `${kind} ${targetId}`;
    return this.audit.write(manager, who, { act, subject, before, after });
  }
}

/** Exactly this request: it may have been cancelled and replaced meanwhile. */
function exactMatch({ kind, targetId, orderNo, proposal, operator, note }: ApprovalRequest) {
  return { kind, targetId, orderNo, proposal, operator, note };
}

function toAuditState({ kind, proposal, operator, note }: Omit<ApprovalRequest, 'createdAt'>) {
  const wanted = kind === 'withdrawal' ? { outcome: proposal } : { fields: proposal };
  return { ...wanted, asked_by: operator, note };
}
