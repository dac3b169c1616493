import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';
import { AccountDatabaseHosts } from './account-database-hosts.js';

const CHECK_EVERY_MS = 30_000;

/**
 * Tells of an old primary that came back and takes writes beside the new one: an instance that starts may choose the
 * wrong one, and then the same withdrawal is unknown there. Which one is right no instance can know.
 */
@Injectable()
export class SplitBrainDetector implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(SplitBrainDetector.name);
  private readonly gauge: Gauge;
  private timer?: NodeJS.Timeout;
  private lastReported = '';

  constructor(
    private readonly environment: Environment,
    private readonly hosts: AccountDatabaseHosts,
    { registry }: Metrics,
  ) {
    hosts.onWritableHosts = (names) => this.report(names);
    this.gauge = new Gauge({
      name: 'gatehouse_database_primaries',
      help: 'Hosts of DATABASE_URL that accept writes, if it names several; a cluster counts as one. More than one is an alarm',
      registers: [registry],
    });
  }

  onModuleInit(): void {
    if ((this.environment.accountDatabase?.hosts.length ?? 0) < 2) return;
    this.timer = setInterval(() => void this.hosts.checkAll(), CHECK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private report(primaries: string[]): void {
    this.gauge.set(primaries.length);
    const writableHosts = primaries.length > 1 ? primaries.join(' and ') : '';
    if (writableHosts === this.lastReported) return;
    this.lastReported = writableHosts;
    if (writableHosts)
      this.logger.error(
        `${writableHosts} take writes, each for itself: set read_only on all but the primary`,
      );
    else this.logger.warn('no more than one database host takes writes');
  }
}
