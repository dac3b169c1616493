import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { Repository } from 'typeorm';
import { Metrics } from '../../metrics/metrics.js';
import { WithdrawalZones } from '../game/withdrawal-zones.js';
import { ZoneFailures } from '../game/zone-failures.js';
import { byZone } from '../record/by-zone.js';
import { WithdrawalOrphans } from '../record/withdrawal-orphans.js';
import { Withdrawal } from '../record/withdrawal.entity.js';

const OVERDUE_MS = 15 * 60 * 1000;
// Clocks of two instances may differ by this much.
const TOLERATED_MS = 60_000;

/** Tells people of withdrawals that wait for them: in the metrics at once, in the log after 15 minutes. */
@Injectable()
export class UnknownAlarm {
  private readonly logger = new Logger(UnknownAlarm.name);
  private readonly unknown: Gauge<'zone'>;
  private readonly oldest: Gauge<'zone'>;
  private readonly orphaned: Gauge;
  private told = new Map<number, number>();
  private toldOrphans = 0;

  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly orphans: WithdrawalOrphans,
    private readonly zones: WithdrawalZones,
    private readonly failures: ZoneFailures,
    metrics: Metrics,
  ) {
    // Every worker counts the same rows, so an instance shows the largest count, not their sum.
    const shared = {
      labelNames: ['zone' as const],
      registers: [metrics.registry],
      aggregator: 'max' as const,
    };
    this.unknown = new Gauge({
      ...shared,
      name: 'gatehouse_withdrawals_unknown',
      help: 'Withdrawals whose outcome is unknown now',
    });
    this.oldest = new Gauge({
      ...shared,
      name: 'gatehouse_withdrawals_unknown_oldest_seconds',
      help: 'Age of the oldest withdrawal whose outcome is unknown; alarm above 900',
    });
    this.orphaned = new Gauge({
      name: 'gatehouse_withdrawals_orphaned',
      help: 'Orders sent to a game server whose withdrawal row is lost and that nobody has handled yet; alarm above 0',
      registers: [metrics.registry],
      aggregator: 'max',
    });
  }

  async look(): Promise<void> {
    const unknown = await this.withdrawals.find({
      select: { id: true, zoneId: true, sentAt: true },
      where: { status: 'unknown' },
    });
    const watched = await this.zones.watched();
    this.failures.know(watched);
    this.unknown.reset();
    this.oldest.reset();
    for (const zone of watched) {
      this.unknown.set({ zone }, 0);
      this.oldest.set({ zone }, 0);
    }
    const overdue = new Map<number, number>();
    for (const [zone, orders] of byZone(unknown)) {
      const ages = orders.map(ageOf);
      this.unknown.set({ zone }, orders.length);
      this.oldest.set({ zone }, Math.round(Math.max(...ages) / 1000));
      const late = ages.filter((age) => age > OVERDUE_MS).length;
      if (late > 0) overdue.set(zone, late);
    }
    this.tell(overdue);
    await this.lookForOrphans();
  }

  private async lookForOrphans(): Promise<void> {
    const orphans = await this.orphans.unhandled();
    this.orphaned.set(orphans.length);
    if (orphans.length > this.toldOrphans)
      this.logger.error(
        `${orphans.length} orders were sent whose withdrawal is gone: see \`withdrawal orphans\``,
      );
    this.toldOrphans = orphans.length;
  }

  /** Once per change, so that the line is not lost among its own repeats. */
  private tell(overdue: Map<number, number>): void {
    for (const [zone, count] of overdue)
      if (this.told.get(zone) !== count)
        this.logger.error(
          `zone ${zone}: ${count} withdrawals have been unknown for more than 15 minutes; settle them`,
        );
    for (const zone of this.told.keys())
      if (!overdue.has(zone)) this.logger.log(`zone ${zone}: no withdrawal is overdue any more`);
    this.told = overdue;
  }
}

/** One that is dated ahead is overdue: nobody knows how old it is. */
function ageOf({ sentAt }: Withdrawal): number {
  const age = Date.now() - (sentAt?.getTime() ?? Date.now());
  return age < -TOLERATED_MS ? OVERDUE_MS + 1 : Math.max(0, age);
}
