import { Injectable } from '@nestjs/common';
import { monotonicClock } from '../counters/monotonic-clock.js';
import { EventLog, EventLogContext } from './event-log.js';
import { MailEvent } from './mail-event.entity.js';
import { maskMailbox } from './mask-mailbox.js';

const MINUTE_MS = 60_000;
const MAX_QUEUED = 5000;
// Of one minute.
const MAX_FAILURES = 1000;

export type NewMailEvent = Omit<MailEvent, 'id' | 'createdAt'>;

type Row = Omit<MailEvent, 'id'>;

/** Writes `mail_event` in the background: the response time must not reveal that a mailbox has an owner. */
@Injectable()
export class MailEventLog extends EventLog<Row> {
  private readonly failures = { since: -Infinity, seen: new Set<string>() };

  constructor(context: EventLogContext) {
    super('mail_event', MAX_QUEUED, context);
  }

  record(event: NewMailEvent): void {
    if (event.outcome !== 'sent' && !this.isNew(event)) return;
    const mailbox = maskMailbox(event.mailbox);
    this.enqueue([{ ...event, mailbox, createdAt: new Date() }]);
  }

  protected write(rows: Row[]): Promise<unknown> {
    return this.dataSource.manager.insert(MailEvent, rows);
  }

  /** While the mail server is down, codes are requested again and again: one row a minute is enough. */
  private isNew({ playerId, kind, outcome, reply }: NewMailEvent): boolean {
    const { failures } = this;
    if (monotonicClock.now() - failures.since > MINUTE_MS) {
      failures.since = monotonicClock.now();
      failures.seen.clear();
    }
    const key = `${playerId} ${kind} ${outcome} ${reply}`;
    if (failures.seen.has(key)) return false;
    if (failures.seen.size >= MAX_FAILURES) {
      this.countDropped(1);
      return false;
    }
    failures.seen.add(key);
    return true;
  }
}
