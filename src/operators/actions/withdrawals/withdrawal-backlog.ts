import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WithdrawalOrphans } from '../../../features/withdraw/record/withdrawal-orphans.js';

export interface Backlog {
  count: number;
  /** The driver's own form of a time. */
  oldest: unknown;
}

/** What about withdrawals waits for a person. */
@Injectable()
export class WithdrawalBacklog {
  constructor(
    private readonly dataSource: DataSource,
    private readonly withdrawalOrphans: WithdrawalOrphans,
  ) {}

  unknown(): Promise<Backlog> {
    return this.queryBacklog(
      `SELECT COUNT(*) AS waiting, MIN(created_at) AS oldest FROM withdraw WHERE status = 'unknown'`,
    );
  }

  /** One person asked for them to be settled, a second has not agreed yet. */
  settleRequests(): Promise<Backlog> {
    return this.queryBacklog(
      `SELECT COUNT(*) AS waiting, MIN(r.created_at) AS oldest FROM settle_request r
        JOIN withdraw w ON w.id = r.withdraw_id AND w.order_no = r.order_no AND w.status = 'unknown'`,
    );
  }

  async orphans(): Promise<Backlog> {
    const orphans = await this.withdrawalOrphans.findUnhandled();
    return { count: orphans.length, oldest: orphans[0]?.createdAt ?? null };
  }

  private async queryBacklog(sql: string): Promise<Backlog> {
    const [row] = await this.dataSource.query<Array<{ waiting: unknown; oldest: unknown }>>(sql);
    return { count: Number(row?.waiting ?? 0), oldest: row?.oldest ?? null };
  }
}
