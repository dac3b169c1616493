import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { ExpiredRows } from '../database/expired-rows.js';
import { MailEvent } from './mail-event.entity.js';
import { shortenedMailbox } from './shortened-mailbox.js';

const EVERY_MS = 500;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const ROWS_A_STATEMENT = 200;
const MOST_WAITING = 5000;
// Of one minute.
const MOST_FAILURES = 1000;

export type MailNote = Omit<MailEvent, 'id' | 'createdAt'>;

/**
 * Writes `mail_event` in the background: no mail fails with it, and whoever asks for a code does not see by the time
 * that the mailbox has an owner.
 */
@Injectable()
export class MailJournal implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MailJournal.name);
  private readonly failures = { since: 0, seen: new Set<string>() };
  private waiting: Array<Omit<MailEvent, 'id'>> = [];
  private writing?: Promise<void>;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    settings: Settings,
    expiredRows: ExpiredRows,
  ) {
    expiredRows.deleteAfter(
      () => {
        const { retention_days: days } = settings.current.login_events;
        return days === null ? null : days * DAY_MS;
      },
      'mail_event',
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
    await this.flush();
  }

  note(note: MailNote): void {
    if (note.outcome !== 'sent' && this.isKnown(note)) return;
    if (this.waiting.length >= MOST_WAITING) return;
    const mailbox = shortenedMailbox(note.mailbox);
    this.waiting.push({ ...note, mailbox, createdAt: new Date() });
  }

  /** Writes what waits. One at a time. */
  flush(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, ROWS_A_STATEMENT);
      try {
        await this.dataSource.manager.insert(MailEvent, some);
      } catch (error) {
        if (isDatabaseUnavailable(error) || !this.dataSource.isInitialized) {
          this.waiting.unshift(...some);
          return;
        }
        this.logger.warn(`${some.length} mails were not written: ${(error as Error).message}`);
      }
    }
  }

  /** While the mail server is down, codes are asked for again and again: one a minute is enough. */
  private isKnown({ playerId, kind, outcome }: MailNote): boolean {
    const { failures } = this;
    if (Date.now() - failures.since > MINUTE_MS) {
      failures.since = Date.now();
      failures.seen.clear();
    }
    const key = `${playerId} ${kind} ${outcome}`;
    if (failures.seen.has(key) || failures.seen.size >= MOST_FAILURES) return true;
    failures.seen.add(key);
    return false;
  }
}
