import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { groupByServer } from '../../../features/withdraw/record/group-by-server.js';
import { WithdrawalOrphans } from '../../../features/withdraw/record/withdrawal-orphans.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { type CheckResult, passed, failed } from './check-result.js';

/** Withdrawals that need a person; they also reveal a server that listens but does not answer. */
@Injectable()
export class WithdrawalChecks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orphans: WithdrawalOrphans,
  ) {}

  /** For all servers, or for one. */
  async run(only?: number): Promise<CheckResult[]> {
    const rows = await this.dataSource.manager.find(Withdrawal, {
      select: { id: true, roleServerId: true, createdAt: true },
      where: { status: 'unknown', ...(only !== undefined && { roleServerId: only }) },
      order: { id: 'ASC' },
    });
    const unknown = [...groupByServer(rows)].map(([server, { length, 0: oldest }]) => {
      const since = oldest!.createdAt.toISOString().slice(0, 16).replace('T', ' ');
      return failed(
        `server ${server}`,
        `unknown withdrawals: ${length}, the oldest since ${since} UTC: gatehouse withdrawal list --status unknown --server ${server}`,
      );
    });
    const gone = only === undefined ? await this.orphans.findUnhandled() : [];
    if (gone.length > 0)
      unknown.push(
        failed('withdrawals', `${gone.length} orders without one: gatehouse withdrawal orphans`),
      );
    return unknown.length > 0 ? unknown : [passed('withdrawals', 'none waits for a person')];
  }
}
