import { setTimeout as pause } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { sqlTime } from '../../platform/database/sql-time.js';
import { Metrics } from '../../platform/metrics/metrics.js';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 1000;
const PAUSE_MS = 100;
const DAY_MS = 86_400_000;

/**
 * Deletes chat records older than `chat.retention_days`, a thousand at a time by primary key, so reports are never
 * blocked. The oldest records have the smallest ids, so no index on time is needed. Safe on many instances at once.
 */
@Injectable()
export class ChatRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ChatRetention.name);
  private readonly deleted: Counter;
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private stopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly dataSource: DataSource,
    private readonly clock: DatabaseClock,
    metrics: Metrics,
  ) {
    this.deleted = new Counter({
      name: 'gatehouse_chat_deleted_total',
      help: 'Chat records deleted because they exceeded chat.retention_days',
      registers: [metrics.registry],
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.deleteOld()
        .catch((error: Error) =>
          this.logger.warn(`cannot delete old chat records yet: ${error.message}`),
        )
        .finally(() => (this.running = undefined));
    }, INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping = true;
    await this.running;
  }

  private async deleteOld(): Promise<void> {
    while (!this.stopping && (await this.deleteBatch()) === BATCH_SIZE) await pause(PAUSE_MS);
  }

  private async deleteBatch(): Promise<number> {
    const days = this.settings.current.chat.retention_days;
    if (days === null) return 0;
    const rows: Array<{ id: number }> = await this.dataSource.query(
      `SELECT id FROM (SELECT id, created_at FROM chat ORDER BY id LIMIT ${BATCH_SIZE}) AS oldest
       WHERE created_at < ?`,
      [sqlTime((await this.clock.now()) - days * DAY_MS)],
    );
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    const step = this.dataSource.createQueryBuilder().delete().from('chat');
    const { affected } = await step.where('id IN (:...ids)', { ids }).execute();
    this.deleted.inc(affected ?? 0);
    return ids.length;
  }
}
