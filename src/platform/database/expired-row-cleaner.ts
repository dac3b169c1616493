import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../config/time.js';
import { DatabaseClock } from './database-clock.js';
import { BATCH_SIZE, deleteBatch, sqlTime } from './sql.js';

const EVERY_MS = 10 * 60 * 1000;
const PAUSE_MS = 50;

interface RetentionRule {
  table: string;
  column: string;
  /** Returns null if the rows are kept forever. */
  retentionMs: () => number | null;
  /** This is true if the oldest rows have the smallest ids, so that the column needs no index. */
  isOrderedById?: boolean;
}

/** Deletes expired rows in batches of a thousand, which hold locks only briefly. Every instance runs it. */
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

  /** Deletes a table's rows when the time in the column is older than `retentionMs`. */
  deleteAfter(retentionMs: number, table: string, column: string): void {
    this.rules.push({ table, column, retentionMs: () => retentionMs });
  }

  /** Deletes a table's rows after a number of days from the settings. Null keeps the rows forever. */
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
      // The setting is read before each batch, because an operator may correct it in the meantime.
      const retention = rule.retentionMs();
      if (retention === null) return;
      const before = sqlTime((await this.clock.now()) - retention);
      if (!(await this.deleteSome(rule, before))) return;
      await pause(PAUSE_MS, undefined, { ref: false });
    }
  }

  /** Deletes one batch. Returns whether more expired rows may exist. */
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
