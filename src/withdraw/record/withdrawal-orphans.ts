import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { isDuplicate } from '../../database/database-errors.js';
import type { DeductionOutcome } from '../game/gm-client.js';
import { cut, type Order } from './withdrawal-statements.js';
import { WithdrawalOrphan } from './withdrawal-orphan.entity.js';
import type { Withdrawal } from './withdrawal.entity.js';

/** Orders that were sent and whose row is gone. The service keeps them; only a person can see to them. */
@Injectable()
export class WithdrawalOrphans {
  constructor(
    @InjectRepository(WithdrawalOrphan) private readonly orphans: Repository<WithdrawalOrphan>,
  ) {}

  /** Keeps each order once, however often it is told. */
  async keep(sent: Withdrawal, order: Order, outcome: DeductionOutcome): Promise<void> {
    const { playerId, serverId, zoneId, roleId, roleName, amount, idempotencyKey } = sent;
    const request = { playerId, serverId, zoneId, roleId, roleName, amount, idempotencyKey };
    try {
      await this.orphans.insert({
        ...order,
        ...request,
        withdrawId: sent.id,
        requestedAt: sent.createdAt,
        outcome: outcome.kind,
        evidence: cut(outcome.evidence),
        createdAt: new Date(),
      });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }

  /** Those that no person has handled yet, oldest first. */
  unhandled(): Promise<WithdrawalOrphan[]> {
    return this.orphans.find({ where: { handledAt: IsNull() }, order: { id: 'ASC' } });
  }
}
