import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import type { DeductionOutcome } from '../game/gm-client.js';
import { truncateEvidence } from './withdrawal-events.js';
import type { SentOrder } from './withdrawal-rows.js';
import { WithdrawalOrphan } from './withdrawal-orphan.entity.js';
import type { Withdrawal } from './withdrawal.entity.js';

/** Orders that were sent but whose row is gone. The service stores them; a person has to handle them. */
@Injectable()
export class WithdrawalOrphans {
  constructor(
    @InjectRepository(WithdrawalOrphan) private readonly orphans: Repository<WithdrawalOrphan>,
  ) {}

  /** Stores each order once, however often it is reported. */
  async add(sent: Withdrawal, order: SentOrder, outcome: DeductionOutcome): Promise<void> {
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

  /** Those not handled yet, oldest first. */
  findUnhandled(): Promise<WithdrawalOrphan[]> {
    return this.orphans.find({ where: { handledAt: IsNull() }, order: { id: 'ASC' } });
  }
}
