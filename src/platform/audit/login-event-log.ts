import { Injectable } from '@nestjs/common';
import { sqlTime } from '../database/sql-time.js';
import { EventLog, EventLogContext } from './event-log.js';
import { FailedLoginAggregator } from './failed-login-aggregator.js';
import type { NewLoginEvent } from './new-login-event.js';

// About 20 s of the highest login rate measured for one process.
const MAX_QUEUED = 20_000;

const COLUMNS =
  'created_at, way, outcome, tries, player_id, account, address, device, session_id, request_id';
const ONE_ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** Writes `login_event`. Failures are held back for a while, so that equal ones become one row. */
@Injectable()
export class LoginEventLog extends EventLog<NewLoginEvent> {
  private readonly failures = new FailedLoginAggregator();

  constructor(context: EventLogContext) {
    super('login_event', MAX_QUEUED, context);
  }

  record(event: NewLoginEvent): void {
    const row = event.outcome === 'ok' ? event : this.failures.add(event);
    if (row) this.enqueue([row]);
  }

  protected override takeDue(atTheEnd: boolean): NewLoginEvent[] {
    return this.failures.drain(atTheEnd);
  }

  protected write(events: NewLoginEvent[]): Promise<unknown> {
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
