import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { DeskSession } from '../access/current-operator.decorator.js';
import { OperatorSessions } from '../access/operator-sessions.js';
import type { PlayerLook } from '../answers/players.js';
import type { EventStream } from '../live/event-stream.js';
import { type Listener, Listeners } from '../live/listeners.js';
import { PlayersService } from './players.service.js';

const ALIKE_MS = 10_000;

interface Shown {
  playerId: number;
  /** What was sent last. */
  text: string;
}

/** Shows players' pages as they change to those who have them open, for as long as their sessions stand. */
@Injectable()
export class PlayerLive implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PlayerLive.name);
  private readonly listeners = new Listeners<Shown>(() => this.tell());

  constructor(
    private readonly players: PlayersService,
    private readonly sessions: OperatorSessions,
  ) {}

  follow(
    open: () => EventStream,
    { id: session, operator }: DeskSession,
    playerId: number,
  ): Promise<void> {
    return this.listeners.add(session, open, async () => {
      const look = await this.players.look(operator, playerId);
      return { event: 'look', data: look, about: { playerId, text: textOf(look) } };
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.listeners.end();
  }

  /** One by one: however many look, the database is asked for one page at a time. */
  private async tell(): Promise<void> {
    for (const [stream, listener] of this.listeners)
      await this.tellOne(stream, listener).catch((error: Error) => {
        // Nothing is said, so the page says since when it is not live.
        stream.beat();
        const { playerId } = listener.about;
        this.logger.warn(`the page of player ${playerId} is not live: ${error.message}`);
      });
  }

  private async tellOne(stream: EventStream, { session, about }: Listener<Shown>): Promise<void> {
    const operator = await this.sessions.operatorOf(session);
    if (!operator) return stream.end();
    const look = await this.players.look(operator, about.playerId);
    const text = textOf(look);
    if (text === about.text) stream.send('same', {});
    else stream.send('look', look);
    about.text = text;
  }
}

/** To compare looks by. When a lock ends is reckoned from the time left, and differs by some milliseconds each time. */
function textOf({ page, timeline }: PlayerLook): string {
  const locks = page.locks.map((lock) => ({
    ...lock,
    until: Math.round(lock.until.getTime() / ALIKE_MS),
  }));
  return JSON.stringify({ page: { ...page, locks }, timeline });
}
