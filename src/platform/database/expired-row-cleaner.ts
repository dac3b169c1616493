import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../config/calendar-day.js';
import { DatabaseClock } from './database-clock.js';
import { BATCH_SIZE, deleteBatch } from './delete-batch.js';
import { sqlTime } from './sql-time.js';

const EVERY_MS = 10 * 60 * 1000;
const PAUSE_MS = 50;

interface RetentionRule {
  table: string;
  column: string;
  /** Null: for ever. */
  retentionMs: () => number | null;
  /** The oldest rows have the smallest ids, so the column needs no key. */
  isOrderedById?: boolean;
}

/**
 * Deletes expired rows in the background, a thousand at a time so that nobody waits. Safe on any number of instances
 * at once.
 */
@Injectable()
export class ExpiredRowCleaner implements OnApplicationShutdown {
  private readonly logger = new Logger(ExpiredRowCleaner.name);
  private readonly rules: RetentionRule[] = [];
  private isStopping = false;
  private readonly timer = setInterval(() => void this.deleteAll(), EVERY_MS).unref();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: DatabaseClock,
  ) {}

  onApplicationShutdown(): void {
    this.isStopping = true;
    clearInterval(this.timer);
  }

  /** Deletes rows of the table when the time in the column is this long ago. */
  deleteAfter(retentionMs: number, table: string, column: string): void {
    this.rules.push({ table, column, retentionMs: () => retentionMs });
  }

  /** The same by a setting in days; null: for ever. */
  deleteAfterDays(
    setting: () => number | null,
    table: string,
    column: string,
    { isOrderedById = false } = {},
  ): void {
    const retentionMs = () => {
      const days = setting();
      return days === null ? null : days * DAY_MS;
    };
    this.rules.push({ table, column, retentionMs, isOrderedById });
  }

  async deleteAll(): Promise<void> {
    for (const rule of this.rules)
      await this.delete(rule).catch((error: Error) =>
        this.logger.warn(`cannot delete old rows of ${rule.table} yet: ${error.message}`),
      );
  }

  private async delete(rule: RetentionRule): Promise<void> {
    while (!this.isStopping) {
      // Read again each time: somebody may correct the setting meanwhile.
      const retention = rule.retentionMs();
      if (retention === null) return;
      const before = sqlTime((await this.clock.now()) - retention);
      if (!(await this.deleteSome(rule, before))) return;
      // Leaves the database to others for a moment.
      await pause(PAUSE_MS, undefined, { ref: false });
    }
  }

  /** Returns whether there may be more. */
  private async deleteSome(rule: RetentionRule, before: string): Promise<boolean> {
    const { table, column, isOrderedById } = rule;
    const isExpired = `${column} < ?`;
    if (!isOrderedById) return deleteBatch(this.dataSource, table, isExpired, [before]);
    const oldest = `SELECT id, ${column} FROM ${table} ORDER BY id LIMIT ${BATCH_SIZE}`;
    const [row] = await this.dataSource.query<[{ id: number | string | null }]>(
      `SELECT MAX(id) AS id FROM (${oldest}) AS oldest WHERE ${isExpired}`,
      [before],
    );
    if (row.id === null) return false;
    return deleteBatch(this.dataSource, table, `id <= ? AND ${isExpired}`, [row.id, before]);
  }
}
