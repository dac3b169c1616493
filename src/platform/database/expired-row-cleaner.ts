import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlTime } from './sql-time.js';
import { runStatement } from './statement.js';

const EVERY_MS = 10 * 60 * 1000;
const BATCH_SIZE = 1000;
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

  constructor(private readonly dataSource: DataSource) {}

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes rows of the table once the time in the column is this long ago. */
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
        this.logger.warn(`old rows of ${rule.table} stay for now: ${error.message}`),
      );
  }

  private async delete({ table, column, retentionMs }: RetentionRule): Promise<void> {
    const embedded = this.dataSource.options.type === 'better-sqlite3';
    const retention = retentionMs();
    if (retention === null) return;
    // SQLite has no LIMIT here.
    const oldest = `SELECT rowid FROM ${table} WHERE ${column} < ? LIMIT ${BATCH_SIZE}`;
    const statement = embedded
      ? `DELETE FROM ${table} WHERE rowid IN (${oldest})`
      : `DELETE FROM ${table} WHERE ${column} < ? LIMIT ${BATCH_SIZE}`;
    const { manager } = this.dataSource;
    for (;;) {
      const { affected } = await runStatement(manager, statement, [
        sqlTime(Date.now() - retention),
      ]);
      if (affected < BATCH_SIZE) return;
      // Others want the database too.
      await pause(PAUSE_MS, undefined, { ref: false });
    }
  }
}
