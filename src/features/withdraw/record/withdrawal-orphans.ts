import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { IntColumn, TextColumn, TimeColumn } from '../../../platform/database/columns.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { truncateEvidence, type SentOrder } from './withdrawal-rows.js';
import type { Withdrawal } from './withdrawal.entity.js';

/** Records a sent order whose withdrawal row was lost. An operator handles the order and sets `handledAt`. */
@Entity('withdraw_orphan')
@Index('withdraw_orphan_order', ['orderNo'], { unique: true })
export class WithdrawalOrphan {
  @PrimaryGeneratedColumn() id: number;
  @TextColumn(64) orderNo: string;
  @TextColumn(16) outcome: string;
  @TextColumn(1000) evidence: string;
  @IntColumn() withdrawId: number;
  @IntColumn() playerId: number;
  @IntColumn() serverId: number;
  @IntColumn() roleServerId: number;
  @Column({ type: 'bigint', name: 'role_id' }) roleId: number | string;
  @TextColumn(64) roleName: string;
  @Column({ type: 'bigint' }) amount: number | string;
  @Column({ type: 'bigint', name: 'balance_before', nullable: true })
  balanceBefore: number | string | null;
  @TextColumn(64, { nullable: true }) idempotencyKey: string | null;
  @TimeColumn() requestedAt: Date;
  @TimeColumn() sentAt: Date;
  @TextColumn(255) gmHost: string;
  @IntColumn() gmPort: number;
  @TextColumn(255) gmPath: string;
  @TimeColumn() createdAt: Date;
  @TimeColumn({ nullable: true }) handledAt: Date | null;
}

@Injectable()
export class WithdrawalOrphans {
  constructor(
    @InjectRepository(WithdrawalOrphan) private readonly orphans: Repository<WithdrawalOrphan>,
  ) {}

  /** Stores each order only once, even if it is reported several times. */
  async add(
    sent: Withdrawal,
    order: SentOrder,
    outcome: { kind: string; evidence: string },
  ): Promise<void> {
    const { playerId, serverId, roleServerId, roleId, roleName, amount, idempotencyKey } = sent;
    const request = { playerId, serverId, roleServerId, roleId, roleName, amount, idempotencyKey };
    try {
      await this.orphans.insert({
        ...order,
        ...request,
        withdrawId: sent.id,
        requestedAt: sent.createdAt,
        outcome: outcome.kind,
        evidence: truncateEvidence(outcome.evidence),
        createdAt: new Date(),
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  findUnhandled(): Promise<WithdrawalOrphan[]> {
    return this.orphans.find({ where: { handledAt: IsNull() }, order: { id: 'ASC' } });
  }
}
