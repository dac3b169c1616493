import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlTime } from './sql-time.js';

const EVERY_MS = 10 * 60 * 1000;
const BITE = 1000;

interface Rule {
  table: string;
  column: string;
  keptMs: number;
}

/**
 * Deletes rows that have grown old, in the background and in bites that hold nobody up. Any number of instances may
 * do it at once: each row is deleted by whoever comes first.
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

  /** From now on, rows of the table go once the time in the column lies so far back. */
  deleteAfter(keptMs: number, table: string, column: string): void {
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
    const statement = `DELETE FROM ${table} WHERE ${column} < ?${embedded ? '' : ` LIMIT ${BITE}`}`;
    const before = sqlTime(Date.now() - keptMs);
    for (;;) {
      const { affectedRows = 0 } = await this.dataSource.query<{ affectedRows?: number }>(
        statement,
        [before],
      );
      if (embedded || affectedRows < BITE) return;
    }
  }
}
