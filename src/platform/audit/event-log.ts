import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import { log } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';

const FLUSH_EVERY_MS = 500;
const ROWS_PER_STATEMENT = 200;

/** What each of the tables needs. */
@Injectable()
export class EventLogContext {
  constructor(
    readonly dataSource: DataSource,
    readonly settings: Settings,
    readonly expiredRows: ExpiredRowCleaner,
    readonly metrics: Metrics,
  ) {}
}

/**
 * A table of events, deleted after `login_events.retention_days`. Written in the background, many rows per statement:
 * nobody waits for it or fails with it. Rows that the database refuses, or that do not fit during a long outage, are
 * dropped and counted.
 */
export abstract class EventLog<Row> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly dataSource: DataSource;
  private readonly dropped: Counter;
  private queue: Row[] = [];
  private writing?: Promise<void>;
  private timer?: NodeJS.Timeout;

  protected constructor(
    private readonly table: 'login_event' | 'mail_event' | 'refused_request',
    private readonly maxQueued: number,
    { dataSource, settings, expiredRows, metrics }: EventLogContext,
  ) {
    this.dataSource = dataSource;
    this.dropped = metrics.counter(
      `gatehouse_${table}s_dropped_total`,
      `Rows missing in ${table} because the database did not accept them`,
    );
    const days = () => settings.current.login_events.retention_days;
    expiredRows.deleteAfterDays(days, table, 'created_at');
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** While the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    this.enqueue(this.takeDue(true));
    await this.flush();
    const { length: rows } = this.queue;
    if (rows > 0)
      log.warn(
        { table: this.table, rows },
        'rows are lost: the database cannot be reached at the end',
      );
  }

  /** Writes the waiting rows, one batch at a time. */
  flush(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  protected abstract write(rows: Row[]): Promise<unknown>;

  /** Rows that were held back and are due now; all of them at the end. */
  protected takeDue(_atTheEnd: boolean): Row[] {
    return [];
  }

  protected enqueue(rows: Row[]): void {
    const room = Math.max(0, this.maxQueued - this.queue.length);
    if (rows.length > room) this.countDropped(rows.length - room);
    this.queue.push(...rows.slice(0, room));
  }

  /** Counts rows that are not written, for any reason. */
  protected countDropped(count: number): void {
    this.dropped.inc(count);
  }

  private async writeAll(): Promise<void> {
    this.enqueue(this.takeDue(false));
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, ROWS_PER_STATEMENT);
      try {
        await this.write(batch);
      } catch (error) {
        if (isDatabaseUnavailable(error) || !this.dataSource.isInitialized) {
          const behind = this.queue;
          this.queue = [];
          this.enqueue([...batch, ...behind]);
          return;
        }
        this.countDropped(batch.length);
        log.warn(
          { table: this.table, rows: batch.length, err: error },
          'the database refused rows',
        );
      }
    }
  }
}
