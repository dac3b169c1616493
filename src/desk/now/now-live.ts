import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { OperatorSessions } from '../access/operator-sessions.js';
import type { EventStream } from '../live/event-stream.js';
import { Listeners } from '../live/listeners.js';
import { NowService } from './now.service.js';

/** Tells every listener how things stand, with one look, for as long as their sessions stand. */
@Injectable()
export class NowLive implements BeforeApplicationShutdown {
  private readonly logger = new Logger(NowLive.name);
  private readonly listeners = new Listeners<null>(() => this.tell());

  constructor(
    private readonly now: NowService,
    private readonly sessions: OperatorSessions,
  ) {}

  follow(open: () => EventStream, session: string): Promise<void> {
    return this.listeners.add(session, open, async () => ({
      event: 'now',
      data: await this.now.now(),
      about: null,
    }));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.listeners.end();
  }

  private async tell(): Promise<void> {
    try {
      const standing = await this.endOthers();
      const now = await this.now.now();
      for (const [stream, { session }] of this.listeners)
        if (standing.has(session)) stream.send('now', now);
    } catch (error) {
      // Nothing is sent, so the page says since when it is not live.
      for (const [stream] of this.listeners) stream.beat();
      this.logger.warn(`the page "now" could not be told: ${(error as Error).message}`);
    }
  }

  /** The sessions that stand. */
  private async endOthers(): Promise<Set<string>> {
    const standing = new Set<string>();
    const asked = new Set([...this.listeners].map(([, { session }]) => session));
    for (const session of asked) if (await this.sessions.stands(session)) standing.add(session);
    for (const [stream, { session }] of this.listeners)
      if (asked.has(session) && !standing.has(session)) stream.end();
    return standing;
  }
}
