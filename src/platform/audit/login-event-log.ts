import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import { sqlTime } from '../database/sql-time.js';
import { Metrics } from '../metrics/metrics.js';
import { BackgroundWriter } from './background-writer.js';
import { eventRetentionMs } from './event-retention.js';
import { FailedLoginAggregator } from './failed-login-aggregator.js';
import type { NewLoginEvent } from './new-login-event.js';

// Some 20 s of the most logins that one process was seen to serve.
const MAX_QUEUED = 20_000;

const COLUMNS =
  'created_at, way, outcome, tries, player_id, account, address, device, session_id, request_id';
const ONE_ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** Writes `login_event`. Failures are held back a while: many of a kind become one row. */
@Injectable()
export class LoginEventLog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly failures = new FailedLoginAggregator();
  private readonly writer: BackgroundWriter<NewLoginEvent>;

  constructor(
    private readonly dataSource: DataSource,
    settings: Settings,
    expiredRows: ExpiredRowCleaner,
    metrics: Metrics,
  ) {
    this.writer = new BackgroundWriter(
      {
        table: 'login_event',
        maxQueued: MAX_QUEUED,
        write: (notes) => this.write(notes),
        takeDue: (atTheEnd) => this.failures.drain(atTheEnd),
      },
      dataSource,
      metrics,
    );
    expiredRows.deleteAfter(eventRetentionMs(settings), 'login_event', 'created_at');
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

  record(event: NewLoginEvent): void {
    const row = event.outcome === 'ok' ? event : this.failures.add(event);
    if (row) this.writer.enqueue([row]);
  }

  private write(events: NewLoginEvent[]): Promise<unknown> {
    return this.dataSource.query(
      `INSERT INTO login_event (${COLUMNS}) VALUES ${events.map(() => ONE_ROW).join()}`,
      events.flatMap((note) => [
        sqlTime(note.time),
        note.way,
        note.outcome,
        note.tries,
        note.playerId,
        note.account,
        note.address,
        note.device,
        note.sessionId,
        note.requestId,
      ]),
    );
  }
}
