import { Injectable } from '@nestjs/common';
import { monotonicClock } from '../config/time.js';
import { MailEvent } from './audit.entity.js';
import { type EventQueue, EventQueues } from './event-queue.js';

const MINUTE_MS = 60_000;
const MAX_QUEUED = 5000;
const MAX_FAILURES_PER_MINUTE = 1000;

export type NewMailEvent = Omit<MailEvent, 'id' | 'createdAt'>;

type Row = Omit<MailEvent, 'id'>;

/** Writes `mail_event` in the background, so that the response time does not reveal whether a player exists. */
@Injectable()
export class MailEventLog {
  private readonly failures = { since: -Infinity, seen: new Set<string>() };
  private readonly queue: EventQueue<Row>;

  constructor(queues: EventQueues) {
    this.queue = queues.create<Row>({
      name: 'mail_event',
      maxQueued: MAX_QUEUED,
      write: (rows) => queues.dataSource.manager.insert(MailEvent, rows),
    });
  }

  record(event: NewMailEvent): void {
    if (event.outcome !== 'sent' && !this.isNew(event)) return;
    const mailbox = maskMailbox(event.mailbox);
    this.queue.add([{ ...event, mailbox, createdAt: new Date() }]);
  }

  flush(): Promise<void> {
    return this.queue.flush();
  }

  /** Limits equal failures to one row per minute, because players keep requesting codes during an outage. */
  private isNew({ playerId, mailbox, kind, outcome, reply }: NewMailEvent): boolean {
    const { failures } = this;
    if (monotonicClock.now() - failures.since > MINUTE_MS) {
      failures.since = monotonicClock.now();
      failures.seen.clear();
    }
    const key = `${playerId ?? mailbox} ${kind} ${outcome} ${reply}`;
    if (failures.seen.has(key)) return false;
    if (failures.seen.size >= MAX_FAILURES_PER_MINUTE) {
      this.queue.countDropped(1);
      return false;
    }
    failures.seen.add(key);
    return true;
  }
}

/** Masks an e-mail address but keeps it recognisable, such as `a•••@example.com`. */
export function maskMailbox(mailbox: string): string {
  return mailbox.replace(/^(.).*@/su, '$1•••@');
}
