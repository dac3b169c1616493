import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { WithdrawalOrphans } from '../../../features/withdraw/record/withdrawal-orphans.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { ApprovalRequest } from '../four-eyes/approval-request.entity.js';

interface Backlog {
  count: number;
  /** The driver's representation of a time. */
  oldest: unknown;
}

/** Withdrawals that need a person. */
@Injectable()
export class WithdrawalBacklog {
  constructor(
    private readonly dataSource: DataSource,
    private readonly withdrawalOrphans: WithdrawalOrphans,
  ) {}

  unknown(): Promise<Backlog> {
    return countBacklog(
      this.dataSource.createQueryBuilder(Withdrawal, 'waiting').where({ status: 'unknown' }),
    );
  }

  /** One operator proposed to settle them; a second has not agreed yet. */
  settleRequests(): Promise<Backlog> {
    const same = `waiting.kind = 'withdrawal' AND w.id = waiting.targetId AND w.orderNo = waiting.orderNo AND w.status = 'unknown'`;
    return countBacklog(
      this.dataSource
        .createQueryBuilder(ApprovalRequest, 'waiting')
        .innerJoin(Withdrawal, 'w', same),
    );
  }

  async orphans(): Promise<Backlog> {
    const orphans = await this.withdrawalOrphans.findUnhandled();
    return { count: orphans.length, oldest: orphans[0]?.createdAt ?? null };
  }
}

async function countBacklog<Row extends Withdrawal | ApprovalRequest>(
  rows: SelectQueryBuilder<Row>,
): Promise<Backlog> {
  const found = await rows
    .select('COUNT(*)', 'count')
    .addSelect('MIN(waiting.createdAt)', 'oldest')
    .getRawOne<{ count: unknown; oldest: unknown }>();
  return { count: Number(found?.count ?? 0), oldest: found?.oldest ?? null };
}
