import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlTime } from './sql-time.js';
import { runStatement } from './statement.js';

const EVERY_MS = 10 * 60 * 1000;
const BITE = 1000;
const PAUSE_MS = 50;

interface Rule {
  table: string;
  column: string;
  /** Null: for ever. */
  keptMs: () => number | null;
}

/**
 * Deletes expired rows in the background, a thousand at a time so that nobody waits. Safe on any number of instances
 * at once.
 */
@Injectable()
export class ExpiredRows implements OnApplicationShutdown {
  private readonly logger = new Logger(ExpiredRows.name);
  private readonly rules: Rule[] = [];
  private readonly timer = setInterval(() => void this.deleteAll(), EVERY_MS).unref();

  constructor(private readonly dataSource: DataSource) {}

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes rows of the table once the time in the column is this long ago. */
  deleteAfter(kept: number | Rule['keptMs'], table: string, column: string): void {
    const keptMs = typeof kept === 'number' ? () => kept : kept;
    this.rules.push({ table, column, keptMs });
  }

  async deleteAll(): Promise<void> {
    for (const rule of this.rules)
      await this.delete(rule).catch((error: Error) =>
        this.logger.warn(`old rows of ${rule.table} stay for now: ${error.message}`),
      );
  }

  private async delete({ table, column, keptMs }: Rule): Promise<void> {
    const embedded = this.dataSource.options.type === 'better-sqlite3';
    const kept = keptMs();
    if (kept === null) return;
    // SQLite has no LIMIT here.
    const oldest = `SELECT rowid FROM ${table} WHERE ${column} < ? LIMIT ${BITE}`;
    const statement = embedded
      ? `DELETE FROM ${table} WHERE rowid IN (${oldest})`
      : `DELETE FROM ${table} WHERE ${column} < ? LIMIT ${BITE}`;
    const { manager } = this.dataSource;
    for (;;) {
      const { affected } = await runStatement(manager, statement, [sqlTime(Date.now() - kept)]);
      if (affected < BITE) return;
      // Others want the database too.
      await pause(PAUSE_MS, undefined, { ref: false });
    }
  }
}
