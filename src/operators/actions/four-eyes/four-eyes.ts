import { Injectable } from '@nestjs/common';
import { And, Column, DataSource, Entity, type EntityManager, Equal, Not } from 'typeorm';
import {
  EnumColumn,
  IntColumn,
  TextColumn,
  TimeColumn,
} from '../../../platform/database/columns.js';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import { Settings } from '../../../platform/config/settings.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActionRefused } from '../action-refused.js';

const APPROVED_KINDS = ['withdrawal', 'server'] as const;
export type ApprovedKind = (typeof APPROVED_KINDS)[number];

@Entity('approval_request')
export class ApprovalRequest {
  @EnumColumn(APPROVED_KINDS, { primary: true }) kind: ApprovedKind;
  @IntColumn({ primary: true }) targetId: number;
  @TextColumn(64) orderNo: string;
  @Column({ type: 'text' }) proposal: string;
  @TextColumn(64) operator: string;
  @TextColumn(1000) note: string;
  @TimeColumn() createdAt: Date;
}

/** Two proposals are the same if their `proposal` texts are equal. */
export type Proposal = Pick<ApprovalRequest, 'kind' | 'targetId' | 'orderNo' | 'proposal'>;

/**
 * Stores the first operator's proposal as a row. The second operator's action deletes that row in its own transaction,
 * which fails if the operator is the same or the proposal differs. Therefore only one of many concurrent actions
 * succeeds, and no operator acts alone.
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
    // After a failover, the target's id may belong to a new row, so an older proposal for that id is invalid.
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

  /** Deletes the first operator's proposal in the transaction of the action. */
  async take(manager: EntityManager, { by }: Attribution, request: ApprovalRequest) {
    const { kind, targetId, operator } = request;
    const taken = { ...exactMatch(request), operator: And(Equal(operator), Not(by)) };
    if ((await manager.delete(ApprovalRequest, taken)).affected !== 1)
      throw new ActionRefused(`the request for ${kind} ${targetId} was cancelled in the meantime`);
  }

  /** Deletes a proposal whose action was done without a second operator, so that it cannot be approved later. */
  async drop(manager: EntityManager, { kind, targetId, orderNo, proposal }: Proposal) {
    await manager.delete(ApprovalRequest, { kind, targetId, orderNo, proposal });
  }

  /** Throws if the operator made the request or if the proposal differs from the request. */
  checkSecond(
    { by }: Attribution,
    request: ApprovalRequest,
    { proposal }: Pick<Proposal, 'proposal'>,
  ): void {
    const { operator } = request;
    if (operator === by)
      throw new ActionRefused(`${operator} has already asked for it: a second person has to agree`);
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
    // Requests need their own subject, because a server's last audit event must describe the server's row.
    const subject = kind === 'server' ? `request for server ${targetId}` : `${kind} ${targetId}`;
    return this.audit.write(manager, who, { act, subject, before, after });
  }
}

/** Matches this request but not one that replaced it. */
function exactMatch({ kind, targetId, orderNo, proposal, operator, note }: ApprovalRequest) {
  return { kind, targetId, orderNo, proposal, operator, note };
}

function toAuditState({ kind, proposal, operator, note }: Omit<ApprovalRequest, 'createdAt'>) {
  const wanted = kind === 'withdrawal' ? { outcome: proposal } : { fields: proposal };
  return { ...wanted, asked_by: operator, note };
}
