import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseClock } from './database-clock.js';
import { deleteBatch } from './delete-batch.js';
import { sqlTime } from './sql-time.js';

const EVERY_MS = 10 * 60 * 1000;
const PAUSE_MS = 50;

interface RetentionRule {
  table: string;
  column: string;
  /** Null: for ever. */
  retentionMs: () => number | null;
}

/**
 * Deletes expired rows in the background, a thousand at a time so that nobody waits. Safe on any number of instances
 * at once.
 */
@Injectable()
export class ExpiredRowCleaner implements OnApplicationShutdown {
  private readonly logger = new Logger(ExpiredRowCleaner.name);
  private readonly rules: RetentionRule[] = [];
  private readonly timer = setInterval(() => void this.deleteAll(), EVERY_MS).unref();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: DatabaseClock,
  ) {}

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes rows of the table when the time in the column is this long ago. */
  deleteAfter(
    retention: number | RetentionRule['retentionMs'],
    table: string,
    column: string,
  ): void {
    const retentionMs = typeof retention === 'number' ? () => retention : retention;
    this.rules.push({ table, column, retentionMs });
  }

  async deleteAll(): Promise<void> {
    for (const rule of this.rules)
      await this.delete(rule).catch((error: Error) =>
        this.logger.warn(`cannot delete old rows of ${rule.table} yet: ${error.message}`),
      );
  }

  private async delete({ table, column, retentionMs }: RetentionRule): Promise<void> {
    const retention = retentionMs();
    if (retention === null) return;
    for (;;) {
      const before = sqlTime((await this.clock.now()) - retention);
      if (!(await deleteBatch(this.dataSource, table, `${column} < ?`, [before]))) return;
      // Leaves the database to others for a moment.
      await pause(PAUSE_MS, undefined, { ref: false });
    }
  }
}
