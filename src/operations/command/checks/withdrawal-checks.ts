import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { byZone } from '../../../withdraw/record/by-zone.js';
import { WithdrawalOrphans } from '../../../withdraw/record/withdrawal-orphans.js';
import { Withdrawal } from '../../../withdraw/record/withdrawal.entity.js';
import { type Finding, good, wrong } from './finding.js';

/** Withdrawals that wait for a person: they tell of a zone that listens and does not answer, too. */
@Injectable()
export class WithdrawalChecks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orphans: WithdrawalOrphans,
  ) {}

  /** Of all zones, or of one. */
  async run(only?: number): Promise<Finding[]> {
    const rows = await this.dataSource.manager.find(Withdrawal, {
      select: { id: true, zoneId: true, createdAt: true },
      where: { status: 'unknown', ...(only !== undefined && { zoneId: only }) },
      order: { id: 'ASC' },
    });
    const unknown = [...byZone(rows)].map(([zone, { length, 0: oldest }]) => {
      const since = oldest!.createdAt.toISOString().slice(0, 16).replace('T', ' ');
      return wrong(
        `zone ${zone}`,
        `unknown withdrawals: ${length}, the oldest since ${since} UTC: gatehouse withdrawal list --status unknown --zone ${zone}`,
      );
    });
    const gone = only === undefined ? await this.orphans.unhandled() : [];
    if (gone.length > 0)
      unknown.push(
        wrong('withdrawals', `${gone.length} orders without one: gatehouse withdrawal orphans`),
      );
    return unknown.length > 0 ? unknown : [good('withdrawals', 'none waits for a person')];
  }
}
