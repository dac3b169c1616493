import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type DeskSession, OperatorSessions } from '../../actions/operators/operator-sessions.js';
import type { PlayerUpdate } from '../responses/players.js';
import type { EventStream } from '../live/event-stream.js';
import { type Subscriber, Subscribers } from '../live/subscribers.js';
import { PlayersService } from './players.service.js';

const LOCK_ROUNDING_MS = 10_000;

interface SentPage {
  playerId: number;
  /** What was sent last. */
  text: string;
}

/** Sends a player's page to the operators who have it open, whenever it changes and while their sessions are valid. */
@Injectable()
export class PlayerStream implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PlayerStream.name);
  private readonly subscribers = new Subscribers<SentPage>(() => this.send());

  constructor(
    private readonly players: PlayersService,
    private readonly sessions: OperatorSessions,
  ) {}

  subscribe(
    open: () => EventStream,
    { id: session, operator }: DeskSession,
    playerId: number,
  ): Promise<void> {
    return this.subscribers.add(session, open, async () => {
      const snapshot = await this.players.pageWithTimeline(operator, playerId);
      return { event: 'look', data: snapshot, about: { playerId, text: comparableText(snapshot) } };
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.subscribers.end();
  }

  /** One after the other, so that many open pages do not query the database at once. */
  private async send(): Promise<void> {
    for (const [stream, subscriber] of this.subscribers)
      await this.sendTo(stream, subscriber).catch((error: Error) => {
        // Without an event the page shows since when it is not live.
        stream.heartbeat();
        const { playerId } = subscriber.about;
        this.logger.warn(
          `stream of player ${playerId}: sending an update failed: ${error.message}`,
        );
      });
  }

  private async sendTo(
    stream: EventStream,
    { session, about }: Subscriber<SentPage>,
  ): Promise<void> {
    const operator = await this.sessions.findOperator(session);
    if (!operator) return stream.end();
    const look = await this.players.pageWithTimeline(operator, about.playerId);
    const text = comparableText(look);
    if (text === about.text) stream.send('same', {});
    else stream.send('look', look);
    about.text = text;
  }
}

/** For comparing updates. The end of a lock is computed from the time left, and varies by some milliseconds. */
function comparableText({ page, timeline }: PlayerUpdate): string {
  const locks = page.locks.map((lock) => ({
    ...lock,
    until: Math.round(lock.until.getTime() / LOCK_ROUNDING_MS),
  }));
  return JSON.stringify({ page: { ...page, locks }, timeline });
}
