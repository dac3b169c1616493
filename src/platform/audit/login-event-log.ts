import { Injectable } from '@nestjs/common';
import { sqlTime } from '../database/sql.js';
import type { LoginEvent } from './audit.entity.js';
import { type EventQueue, EventQueues } from './event-queue.js';

// The queue holds about 20 s of the highest login rate measured for one process.
const MAX_QUEUED = 20_000;

const COLUMNS =
  'created_at, way, outcome, tries, player_id, account, address, device, session_id, request_id';
const ONE_ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

const MINUTE_MS = 60_000;
// The aggregator counts at most this many pairs of account and address per minute, and as many accounts.
const MAX_KEYS = 500;

export type NewLoginEvent = Omit<LoginEvent, 'id' | 'createdAt'> & { time: number };

/** Writes `login_event`. It holds failures back for up to a minute, so that equal failures share one row. */
@Injectable()
export class LoginEventLog {
  private readonly failures = new FailedLoginAggregator();
  private readonly queue: EventQueue<NewLoginEvent>;

  constructor(private readonly queues: EventQueues) {
    this.queue = queues.create<NewLoginEvent>({
      name: 'login_event',
      maxQueued: MAX_QUEUED,
      write: (events) => this.write(events),
      takeDue: (atTheEnd) => this.failures.drain(atTheEnd),
    });
  }

  record(event: NewLoginEvent): void {
    const row = event.outcome === 'ok' ? event : this.failures.add(event);
    if (row) this.queue.add([row]);
  }

  flush(): Promise<void> {
    return this.queue.flush();
  }

  private write(events: NewLoginEvent[]): Promise<unknown> {
    return this.queues.dataSource.query(
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

/**
 * Limits the number of rows during a flood of failed sign-ins. The first failure per account and address in a minute
 * gets its own row, and all others of that minute share a second row. Unknown names count as one account. With too many
 * addresses, failures are counted by account, and with too many accounts, only by method and outcome.
 */
export class FailedLoginAggregator {
  private since = performance.now();
  private readonly exact = new Map<string, NewLoginEvent>();
  private readonly byAccount = new Map<string, NewLoginEvent>();
  private readonly byOutcome = new Map<string, NewLoginEvent>();

  /** Returns the event if it needs its own row. */
  add(event: NewLoginEvent): NewLoginEvent | undefined {
    const failure = `${event.way} ${event.outcome}`;
    const account = `${failure} ${event.playerId ?? '?'}`;
    const key = `${account} ${event.address}`;
    if (addToExisting(this.exact, key, event)) return undefined;
    if (this.exact.size < MAX_KEYS) {
      this.exact.set(key, { ...event, tries: 0 });
      return event;
    }
    if (addToExisting(this.byAccount, account, event)) return undefined;
    if (this.byAccount.size < MAX_KEYS) this.byAccount.set(account, withoutDetails(event));
    else if (!addToExisting(this.byOutcome, failure, event))
      this.byOutcome.set(failure, { ...withoutDetails(event), playerId: null });
    return undefined;
  }

  /** Returns the counted failures if their minute has ended, or immediately if `all` is true. */
  drain(all = false): NewLoginEvent[] {
    if (!all && performance.now() - this.since < MINUTE_MS) return [];
    this.since = performance.now();
    const tables = [this.exact, this.byAccount, this.byOutcome];
    const counted = tables.flatMap((table) => [...table.values()].filter(({ tries }) => tries > 0));
    for (const table of tables) table.clear();
    return counted;
  }
}

function addToExisting(
  table: Map<string, NewLoginEvent>,
  key: string,
  event: NewLoginEvent,
): boolean {
  const counted = table.get(key);
  if (!counted) return false;
  counted.tries += event.tries;
  counted.time = event.time;
  return true;
}

/** Removes the fields that differ between the sign-ins that the row covers. */
function withoutDetails(event: NewLoginEvent): NewLoginEvent {
  return { ...event, account: null, address: null, device: null, requestId: null };
}
