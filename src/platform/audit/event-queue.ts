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

interface EventTable<Row> {
  name: 'login_event' | 'mail_event' | 'player_change' | 'refused_request' | 'game_server_call';
  /** This column decides when a row is deleted. The default is `created_at`. */
  timeColumn?: string;
  maxQueued: number;
  write: (rows: Row[]) => Promise<unknown>;
  /** Returns the held-back rows that are due, or all held-back rows during shutdown. */
  takeDue?: (atTheEnd: boolean) => Row[];
}

/**
 * Writes a table's rows in the background, many per statement, so that no request waits for the table or fails with it.
 * Rows that the database rejects, or that do not fit into the queue during a long outage, are dropped and counted.
 */
export class EventQueue<Row> {
  private queue: Row[] = [];
  private writing?: Promise<void>;

  constructor(
    private readonly table: EventTable<Row>,
    private readonly dataSource: DataSource,
    private readonly dropped: Counter,
  ) {}

  add(rows: Row[]): void {
    const room = Math.max(0, this.table.maxQueued - this.queue.length);
    if (rows.length > room) this.countDropped(rows.length - room);
    this.queue.push(...rows.slice(0, room));
  }

  countDropped(count: number): void {
    this.dropped.inc(count);
  }

  flush(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  async flushAtTheEnd(): Promise<void> {
    await this.writing;
    this.add(this.table.takeDue?.(true) ?? []);
    await this.flush();
    const { length: rows } = this.queue;
    if (rows > 0)
      log.warn(
        { table: this.table.name, rows },
        'rows are lost, because the database is unavailable at shutdown',
      );
  }

  private async writeAll(): Promise<void> {
    this.add(this.table.takeDue?.(false) ?? []);
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, ROWS_PER_STATEMENT);
      try {
        await this.table.write(batch);
      } catch (error) {
        if (isDatabaseUnavailable(error) || !this.dataSource.isInitialized) {
          const behind = this.queue;
          this.queue = [];
          this.add([...batch, ...behind]);
          return;
        }
        this.countDropped(batch.length);
        log.warn(
          { table: this.table.name, rows: batch.length, err: error },
          'the database rejected rows, which are lost',
        );
      }
    }
  }
}

/** Creates the queues of the event tables, whose rows are deleted after `login_events.retention_days`. */
@Injectable()
export class EventQueues implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queues: Array<Pick<EventQueue<unknown>, 'flush' | 'flushAtTheEnd'>> = [];
  private timer?: NodeJS.Timeout;

  constructor(
    readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly expiredRows: ExpiredRowCleaner,
    private readonly metrics: Metrics,
  ) {}

  create<Row>(table: EventTable<Row>): EventQueue<Row> {
    const { name } = table;
    const days = () => this.settings.current.login_events.retention_days;
    this.expiredRows.deleteAfterDays(days, name, table.timeColumn ?? 'created_at');
    const dropped = this.metrics.counter(
      `gatehouse_${name}s_dropped_total`,
      `Rows missing in ${name} because the database did not accept them`,
    );
    const queue = new EventQueue(table, this.dataSource, dropped);
    this.queues.push(queue);
    return queue;
  }

  onApplicationBootstrap(): void {
    const flush = () => void Promise.all(this.queues.map((queue) => queue.flush()));
    this.timer = setInterval(flush, FLUSH_EVERY_MS).unref();
  }

  /** Flushes the queues while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.queues.map((queue) => queue.flushAtTheEnd()));
  }
}
