import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Settings } from '../config/settings.js';
import type { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import type { Metrics } from '../metrics/metrics.js';
import { BackgroundWriter, type EventTable } from './background-writer.js';

/** A table of events: written in the background, and deleted after `login_events.retention_days`. */
export abstract class EventLog<Row> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly writer: BackgroundWriter<Row>;

  protected constructor(
    table: EventTable,
    maxQueued: number,
    protected readonly dataSource: DataSource,
    settings: Settings,
    expiredRows: ExpiredRowCleaner,
    metrics: Metrics,
  ) {
    const write = (rows: Row[]) => this.write(rows);
    const takeDue = (atTheEnd: boolean) => this.takeDue(atTheEnd);
    this.writer = new BackgroundWriter({ table, maxQueued, write, takeDue }, dataSource, metrics);
    const days = () => settings.current.login_events.retention_days;
    expiredRows.deleteAfterDays(days, table, 'created_at');
  }

  onApplicationBootstrap(): void {
    this.writer.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.writer.stop();
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    return this.writer.flush();
  }

  protected abstract write(rows: Row[]): Promise<unknown>;

  /** Rows that were held back and are due now; all of them at the end. */
  protected takeDue(_atTheEnd: boolean): Row[] {
    return [];
  }
}
