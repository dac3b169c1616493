import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import { Metrics } from '../metrics/metrics.js';
import { BackgroundWriter } from './background-writer.js';
import { eventRetentionMs } from './event-retention.js';
import { MailEvent } from './mail-event.entity.js';
import { maskMailbox } from './mask-mailbox.js';

const MINUTE_MS = 60_000;
const MAX_QUEUED = 5000;
// Of one minute.
const MAX_FAILURES = 1000;

export type NewMailEvent = Omit<MailEvent, 'id' | 'createdAt'>;

type Row = Omit<MailEvent, 'id'>;

/** Writes `mail_event`; whoever asks for a code does not see by the time that the mailbox has an owner. */
@Injectable()
export class MailEventLog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly failures = { since: 0, seen: new Set<string>() };
  private readonly writer: BackgroundWriter<Row>;

  constructor(
    dataSource: DataSource,
    settings: Settings,
    expiredRows: ExpiredRowCleaner,
    metrics: Metrics,
  ) {
    const write = (rows: Row[]) => dataSource.manager.insert(MailEvent, rows);
    this.writer = new BackgroundWriter(
      { table: 'mail_event', maxQueued: MAX_QUEUED, write },
      dataSource,
      metrics,
    );
    expiredRows.deleteAfter(eventRetentionMs(settings), 'mail_event', 'created_at');
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

  record(event: NewMailEvent): void {
    if (event.outcome !== 'sent' && !this.isNew(event)) return;
    const mailbox = maskMailbox(event.mailbox);
    this.writer.enqueue([{ ...event, mailbox, createdAt: new Date() }]);
  }

  /** While the mail server is down, codes are asked for again and again: one a minute is enough. */
  private isNew({ playerId, kind, outcome }: NewMailEvent): boolean {
    const { failures } = this;
    if (Date.now() - failures.since > MINUTE_MS) {
      failures.since = Date.now();
      failures.seen.clear();
    }
    const key = `${playerId} ${kind} ${outcome}`;
    if (failures.seen.has(key)) return false;
    if (failures.seen.size >= MAX_FAILURES) {
      this.writer.countDropped(1);
      return false;
    }
    failures.seen.add(key);
    return true;
  }
}
