import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { ExpiredRows } from '../database/expired-rows.js';
import { sqlTime } from '../database/sql-time.js';
import { Metrics } from '../metrics/metrics.js';
import { FailedLogins } from './failed-logins.js';
import type { LoginNote } from './login-note.js';

const EVERY_MS = 500;
const ROWS_A_STATEMENT = 200;
// Some 20 s of the most logins that one process was seen to serve.
const MOST_WAITING = 20_000;
const DAY_MS = 86_400_000;

const COLUMNS =
  'created_at, way, outcome, tries, player_id, account, address, device, session_id, request_id';
const ONE_ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

/**
 * Writes `login_event` in the background, many rows with one statement: no sign-in waits for it or fails with it. What
 * finds no room, while the database is away for long, is dropped and counted.
 */
@Injectable()
export class LoginJournal implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LoginJournal.name);
  private readonly failed = new FailedLogins();
  private readonly dropped: Counter;
  private waiting: LoginNote[] = [];
  private writing?: Promise<void>;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    settings: Settings,
    expiredRows: ExpiredRows,
    { registry }: Metrics,
  ) {
    this.dropped = new Counter({
      name: 'gatehouse_login_events_dropped_total',
      help: 'Sign-ins that are missing in login_event, because the database did not take them in time',
      registers: [registry],
    });
    expiredRows.deleteAfter(
      () => {
        const { retention_days: days } = settings.current.login_events;
        return days === null ? null : days * DAY_MS;
      },
      'login_event',
      'created_at',
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), EVERY_MS).unref();
  }

  /** While the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    this.put(this.failed.take(true));
    await this.flush();
  }

  note(note: LoginNote): void {
    const row = note.outcome === 'ok' ? note : this.failed.add(note);
    if (row) this.put([row]);
  }

  /** Writes what waits. One at a time. */
  flush(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private put(notes: LoginNote[]): void {
    const room = Math.max(0, MOST_WAITING - this.waiting.length);
    if (notes.length > room) this.dropped.inc(notes.length - room);
    this.waiting.push(...notes.slice(0, room));
  }

  private async writeAll(): Promise<void> {
    this.put(this.failed.take());
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, ROWS_A_STATEMENT);
      try {
        await this.write(some);
      } catch (error) {
        if (isDatabaseUnavailable(error) || !this.dataSource.isInitialized) {
          const behind = this.waiting;
          this.waiting = [];
          this.put([...some, ...behind]);
          return;
        }
        this.dropped.inc(some.length);
        this.logger.warn(`${some.length} sign-ins were not written: ${(error as Error).message}`);
      }
    }
  }

  private async write(notes: LoginNote[]): Promise<void> {
    await this.dataSource.query(
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
