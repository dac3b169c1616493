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
