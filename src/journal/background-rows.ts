import { Counter } from 'prom-client';
import type { DataSource } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';

const EVERY_MS = 500;
const ROWS_A_STATEMENT = 200;

interface Kind<Row> {
  table: 'login_event' | 'mail_event';
  mostWaiting: number;
  write: (rows: Row[]) => Promise<unknown>;
  /** Rows that were held back and are due now; at the end all of them. */
  due?: (atTheEnd: boolean) => Row[];
}

/**
 * Rows of a table that are written in the background, many with one statement: nobody waits for it or fails with it.
 * What finds no room, while the database is away for long, or is refused by it, is dropped and counted.
 */
export class BackgroundRows<Row> {
  private readonly dropped: Counter;
  private waiting: Row[] = [];
  private writing?: Promise<void>;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly kind: Kind<Row>,
    private readonly dataSource: DataSource,
    { registry }: Metrics,
  ) {
    this.dropped = new Counter({
      name: `gatehouse_${kind.table}s_dropped_total`,
      help: `Rows missing in ${kind.table} because the database did not accept them`,
      registers: [registry],
    });
  }

  start(): void {
    this.timer = setInterval(() => void this.flush(), EVERY_MS).unref();
  }

  /** While the database is still connected. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    this.put(this.kind.due?.(true) ?? []);
    await this.flush();
    const { length: rows } = this.waiting;
    if (rows > 0)
      log.warn({ table: this.kind.table, rows }, 'rows are lost: the database is away at the end');
  }

  put(rows: Row[]): void {
    const room = Math.max(0, this.kind.mostWaiting - this.waiting.length);
    if (rows.length > room) this.drop(rows.length - room);
    this.waiting.push(...rows.slice(0, room));
  }

  /** Counts rows that are not written, whoever decided so. */
  drop(count: number): void {
    this.dropped.inc(count);
  }

  /** Writes what waits. One at a time. */
  flush(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    this.put(this.kind.due?.(false) ?? []);
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, ROWS_A_STATEMENT);
      try {
        await this.kind.write(some);
      } catch (error) {
        if (isDatabaseUnavailable(error) || !this.dataSource.isInitialized) {
          const behind = this.waiting;
          this.waiting = [];
          this.put([...some, ...behind]);
          return;
        }
        this.drop(some.length);
        log.warn(
          { table: this.kind.table, rows: some.length, err: error },
          'the database refused rows',
        );
      }
    }
  }
}
