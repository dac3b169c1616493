import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { ExpiredRows } from '../database/expired-rows.js';
import { Metrics } from '../metrics/metrics.js';
import { BackgroundRows } from './background-rows.js';
import { eventsKeptMs } from './events-kept.js';
import { MailEvent } from './mail-event.entity.js';
import { shortenedMailbox } from './shortened-mailbox.js';

const MINUTE_MS = 60_000;
const MOST_WAITING = 5000;
// Of one minute.
const MOST_FAILURES = 1000;

export type MailNote = Omit<MailEvent, 'id' | 'createdAt'>;

type Row = Omit<MailEvent, 'id'>;

/** Writes `mail_event`; whoever asks for a code does not see by the time that the mailbox has an owner. */
@Injectable()
export class MailJournal implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly failures = { since: 0, seen: new Set<string>() };
  private readonly rows: BackgroundRows<Row>;

  constructor(
    dataSource: DataSource,
    settings: Settings,
    expiredRows: ExpiredRows,
    metrics: Metrics,
  ) {
    const write = (rows: Row[]) => dataSource.manager.insert(MailEvent, rows);
    this.rows = new BackgroundRows(
      { table: 'mail_event', mostWaiting: MOST_WAITING, write },
      dataSource,
      metrics,
    );
    expiredRows.deleteAfter(eventsKeptMs(settings), 'mail_event', 'created_at');
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

  note(note: MailNote): void {
    if (note.outcome !== 'sent' && !this.isNew(note)) return;
    const mailbox = shortenedMailbox(note.mailbox);
    this.rows.put([{ ...note, mailbox, createdAt: new Date() }]);
  }

  /** While the mail server is down, codes are asked for again and again: one a minute is enough. */
  private isNew({ playerId, kind, outcome }: MailNote): boolean {
    const { failures } = this;
    if (Date.now() - failures.since > MINUTE_MS) {
      failures.since = Date.now();
      failures.seen.clear();
    }
    const key = `${playerId} ${kind} ${outcome}`;
    if (failures.seen.has(key)) return false;
    if (failures.seen.size >= MOST_FAILURES) {
      this.rows.drop(1);
      return false;
    }
    failures.seen.add(key);
    return true;
  }
}
