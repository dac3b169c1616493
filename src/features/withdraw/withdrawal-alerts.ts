import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { Repository } from 'typeorm';
import { Metrics } from '../../platform/metrics/metrics.js';
import { WithdrawalServers, ServerFailureMetrics } from './game/withdrawal-servers.js';
import { WithdrawalOrphans } from './record/withdrawal-orphans.js';
import { groupByServer, Withdrawal } from './record/withdrawal.entity.js';

const OVERDUE_MS = 15 * 60 * 1000;
// The clocks of two instances may differ by this much.
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Reports withdrawals that an operator must settle. They appear in the metrics immediately, and in the log after 15
 * minutes.
 */
@Injectable()
export class WithdrawalAlerts {
  private readonly logger = new Logger(WithdrawalAlerts.name);
  private readonly unknown: Gauge<'server'>;
  private readonly oldest: Gauge<'server'>;
  private readonly orphaned: Gauge;
  private reported = new Map<number, number>();
  private reportedOrphans = 0;

  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly orphans: WithdrawalOrphans,
    private readonly servers: WithdrawalServers,
    private readonly failures: ServerFailureMetrics,
    metrics: Metrics,
  ) {
    const shared = { labelNames: ['server' as const], registers: [metrics.registry] };
    this.unknown = new Gauge({
      ...shared,
      name: 'gatehouse_withdrawals_unknown',
      help: 'Withdrawals whose outcome is unknown now',
    });
    this.oldest = new Gauge({
      ...shared,
      name: 'gatehouse_withdrawals_unknown_oldest_seconds',
      help: 'Age of the oldest withdrawal whose outcome is unknown',
    });
    this.orphaned = new Gauge({
      name: 'gatehouse_withdrawals_orphaned',
      help: 'Orders that were sent to a game server, whose withdrawal row is lost and which nobody has handled yet',
      registers: [metrics.registry],
    });
  }

  async check(): Promise<void> {
    const unknown = await this.withdrawals.find({
      select: { id: true, roleServerId: true, sentAt: true },
      where: { status: 'unknown' },
    });
    const monitored = await this.servers.findMonitoredIds();
    this.failures.initialize(monitored);
    this.unknown.reset();
    this.oldest.reset();
    for (const server of monitored) {
      this.unknown.set({ server }, 0);
      this.oldest.set({ server }, 0);
    }
    const overdue = new Map<number, number>();
    for (const [server, orders] of groupByServer(unknown)) {
      const ages = orders.map(ageOf);
      this.unknown.set({ server }, orders.length);
      this.oldest.set({ server }, Math.round(Math.max(...ages) / 1000));
      const late = ages.filter((age) => age > OVERDUE_MS).length;
      if (late > 0) overdue.set(server, late);
    }
    this.report(overdue);
    await this.checkOrphans();
  }

  private async checkOrphans(): Promise<void> {
    const orphans = await this.orphans.findUnhandled();
    this.orphaned.set(orphans.length);
    if (orphans.length > this.reportedOrphans)
      this.logger.error(
        `${orphans.length} orders were sent whose withdrawal is gone; list them with \`withdrawal orphans\``,
      );
    this.reportedOrphans = orphans.length;
  }

  /** Logs only changes, so that repeated alerts do not hide new ones. */
  private report(overdue: Map<number, number>): void {
    for (const [server, count] of overdue)
      if (this.reported.get(server) !== count)
        this.logger.error(
          `server ${server}: ${count} withdrawals have been unknown for more than 15 minutes; settle them`,
        );
    for (const server of this.reported.keys())
      if (!overdue.has(server))
        this.logger.log(`server ${server}: no withdrawal is overdue any more`);
    this.reported = overdue;
  }
}

/** Treats a time in the future as overdue, because the real age is unknown. */
function ageOf({ sentAt }: Withdrawal): number {
  const age = Date.now() - (sentAt?.getTime() ?? Date.now());
  return age < -CLOCK_TOLERANCE_MS ? OVERDUE_MS + 1 : Math.max(0, age);
}
