import { Counter } from 'prom-client';
import type { DataSource } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';

const FLUSH_EVERY_MS = 500;
const ROWS_PER_STATEMENT = 200;

export type EventTable = 'login_event' | 'mail_event' | 'refused_request';

interface WriterOptions<Row> {
  table: EventTable;
  maxQueued: number;
  write: (rows: Row[]) => Promise<unknown>;
  takeDue: (atTheEnd: boolean) => Row[];
}

/**
 * Writes rows of a table in the background, many per statement: nobody waits for it or fails with it. Rows that the
 * database refuses, or that do not fit during a long outage, are dropped and counted.
 */
export class BackgroundWriter<Row> {
  private readonly dropped: Counter;
  private queue: Row[] = [];
  private writing?: Promise<void>;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly options: WriterOptions<Row>,
    private readonly dataSource: DataSource,
    { registry }: Metrics,
  ) {
    this.dropped = new Counter({
      name: `gatehouse_${options.table}s_dropped_total`,
      help: `Rows missing in ${options.table} because the database did not accept them`,
      registers: [registry],
    });
  }

  start(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** While the database is still connected. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    this.enqueue(this.options.takeDue(true));
    await this.flush();
    const { length: rows } = this.queue;
    if (rows > 0)
      log.warn(
        { table: this.options.table, rows },
        'rows are lost: the database cannot be reached at the end',
      );
  }

  enqueue(rows: Row[]): void {
    const room = Math.max(0, this.options.maxQueued - this.queue.length);
    if (rows.length > room) this.countDropped(rows.length - room);
    this.queue.push(...rows.slice(0, room));
  }

  /** Counts rows that are not written, for any reason. */
  countDropped(count: number): void {
    this.dropped.inc(count);
  }

  /** Writes the waiting rows, one batch at a time. */
  flush(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    this.enqueue(this.options.takeDue(false));
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, ROWS_PER_STATEMENT);
      try {
        await this.options.write(batch);
      } catch (error) {
        if (isDatabaseUnavailable(error) || !this.dataSource.isInitialized) {
          const behind = this.queue;
          this.queue = [];
          this.enqueue([...batch, ...behind]);
          return;
        }
        this.countDropped(batch.length);
        log.warn(
          { table: this.options.table, rows: batch.length, err: error },
          'the database refused rows',
        );
      }
    }
  }
}
