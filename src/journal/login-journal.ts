import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { ExpiredRows } from '../database/expired-rows.js';
import { sqlTime } from '../database/sql-time.js';
import { Metrics } from '../metrics/metrics.js';
import { BackgroundRows } from './background-rows.js';
import { eventsKeptMs } from './events-kept.js';
import { FailedLogins } from './failed-logins.js';
import type { LoginNote } from './login-note.js';

// Some 20 s of the most logins that one process was seen to serve.
const MOST_WAITING = 20_000;

const COLUMNS =
  'created_at, way, outcome, tries, player_id, account, address, device, session_id, request_id';
const ONE_ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** Writes `login_event`. Failures are held back a while: many of a kind become one row. */
@Injectable()
export class LoginJournal implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly failed = new FailedLogins();
  private readonly rows: BackgroundRows<LoginNote>;

  constructor(
    private readonly dataSource: DataSource,
    settings: Settings,
    expiredRows: ExpiredRows,
    metrics: Metrics,
  ) {
    this.rows = new BackgroundRows(
      {
        table: 'login_event',
        mostWaiting: MOST_WAITING,
        write: (notes) => this.write(notes),
        due: (atTheEnd) => this.failed.take(atTheEnd),
      },
      dataSource,
      metrics,
    );
    expiredRows.deleteAfter(eventsKeptMs(settings), 'login_event', 'created_at');
  }

  onApplicationBootstrap(): void {
    this.rows.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rows.stop();
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    return this.rows.flush();
  }

  note(note: LoginNote): void {
    const row = note.outcome === 'ok' ? note : this.failed.add(note);
    if (row) this.rows.put([row]);
  }

  private write(notes: LoginNote[]): Promise<unknown> {
    return this.dataSource.query(
      `INSERT INTO login_event (${COLUMNS}) VALUES ${notes.map(() => ONE_ROW).join()}`,
      notes.flatMap((note) => [
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
