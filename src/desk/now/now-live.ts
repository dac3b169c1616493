import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { OperatorSessions } from '../access/operator-sessions.js';
import type { EventStream } from '../live/event-stream.js';
import { Subscribers } from '../live/subscribers.js';
import { NowService } from './now.service.js';

/** Sends the dashboard to every subscriber with a valid session; the database is read once for all of them. */
@Injectable()
export class NowLive implements BeforeApplicationShutdown {
  private readonly logger = new Logger(NowLive.name);
  private readonly subscribers = new Subscribers<null>(() => this.send());

  constructor(
    private readonly now: NowService,
    private readonly sessions: OperatorSessions,
  ) {}

  follow(open: () => EventStream, session: string): Promise<void> {
    return this.subscribers.add(session, open, async () => ({
      event: 'now',
      data: await this.now.now(),
      about: null,
    }));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.subscribers.end();
  }

  private async send(): Promise<void> {
    try {
      const valid = await this.endInvalid();
      const now = await this.now.now();
      for (const [stream, { session }] of this.subscribers)
        if (valid.has(session)) stream.send('now', now);
    } catch (error) {
      // Without an event the page shows since when it is not live.
      for (const [stream] of this.subscribers) stream.beat();
      this.logger.warn(`dashboard stream: sending an update failed: ${(error as Error).message}`);
    }
  }

  /** Ends the streams of sessions that are no longer valid, and returns the valid sessions. */
  private async endInvalid(): Promise<Set<string>> {
    const valid = new Set<string>();
    const asked = new Set([...this.subscribers].map(([, { session }]) => session));
    for (const session of asked) if (await this.sessions.stands(session)) valid.add(session);
    for (const [stream, { session }] of this.subscribers)
      if (asked.has(session) && !valid.has(session)) stream.end();
    return valid;
  }
}
