import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { OperatorSessions } from '../../actions/operators/operator-sessions.js';
import type { EventStream } from '../live/event-stream.js';
import { Subscribers } from '../live/subscribers.js';
import { DashboardService } from './dashboard.service.js';

/** Sends the dashboard to every subscriber with a valid session; the database is read once for all of them. */
@Injectable()
export class DashboardStream implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DashboardStream.name);
  private readonly subscribers = new Subscribers<null>(() => this.send());

  constructor(
    private readonly dashboard: DashboardService,
    private readonly sessions: OperatorSessions,
  ) {}

  subscribe(open: () => EventStream, session: string): Promise<void> {
    return this.subscribers.add(session, open, async () => ({
      event: 'now',
      data: await this.dashboard.current(),
      about: null,
    }));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.subscribers.end();
  }

  private async send(): Promise<void> {
    try {
      const valid = await this.endInvalid();
      const now = await this.dashboard.current();
      for (const [stream, { session }] of this.subscribers)
        if (valid.has(session)) stream.send('now', now);
    } catch (error) {
      // Without an event the page shows since when it is not live.
      for (const [stream] of this.subscribers) stream.heartbeat();
      this.logger.warn(`dashboard stream: sending an update failed: ${(error as Error).message}`);
    }
  }

  /** Ends the streams of sessions that are no longer valid, and returns the valid sessions. */
  private async endInvalid(): Promise<Set<string>> {
    const valid = new Set<string>();
    const asked = new Set([...this.subscribers].map(([, { session }]) => session));
    for (const session of asked) if (await this.sessions.isActive(session)) valid.add(session);
    for (const [stream, { session }] of this.subscribers)
      if (asked.has(session) && !valid.has(session)) stream.end();
    return valid;
  }
}
