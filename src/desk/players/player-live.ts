import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { ServiceUnavailable } from '../../http/errors/http.errors.js';
import type { DeskSession } from '../access/current-operator.decorator.js';
import { OperatorSessions } from '../access/operator-sessions.js';
import type { EventStream } from '../now/event-stream.js';
import { PlayersService } from './players.service.js';

const EVERY_MS = 5000;
const MOST_LISTENERS = 200;

interface Listener {
  session: string;
  playerId: number;
  /** What was sent last. */
  shown: string;
}

/** Shows players' pages as they change to those who have them open, for as long as their sessions stand. */
@Injectable()
export class PlayerLive implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PlayerLive.name);
  private readonly listeners = new Map<EventStream, Listener>();
  private timer?: NodeJS.Timeout;
  private telling?: Promise<void>;

  constructor(
    private readonly players: PlayersService,
    private readonly sessions: OperatorSessions,
  ) {}

  /** The first look comes before the stream: while there are only headers to send, it can still be refused. */
  async follow(
    open: () => EventStream,
    { id: session, operator }: DeskSession,
    playerId: number,
  ): Promise<void> {
    if (this.listeners.size >= MOST_LISTENERS) throw new ServiceUnavailable('too many listeners');
    const look = await this.players.look(operator, playerId);
    const stream = open();
    if (!stream.isOpen) return;
    this.listeners.set(stream, { session, playerId, shown: JSON.stringify(look) });
    stream.onClosed(() => this.leave(stream));
    this.timer ??= setInterval(() => this.tellAll(), EVERY_MS).unref();
    stream.send('look', look);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    for (const stream of this.listeners.keys()) stream.end();
    await this.telling;
  }

  private tellAll(): void {
    this.telling ??= this.tell().finally(() => (this.telling = undefined));
  }

  /** One by one: however many look, the database is asked for one page at a time. */
  private async tell(): Promise<void> {
    for (const [stream, listener] of this.listeners)
      await this.tellOne(stream, listener).catch((error: Error) => {
        // Nothing is said, so the page says since when it is not live.
        stream.beat();
        this.logger.warn(`the page of player ${listener.playerId} is not live: ${error.message}`);
      });
  }

  private async tellOne(stream: EventStream, listener: Listener): Promise<void> {
    const operator = await this.sessions.operatorOf(listener.session);
    if (!operator) return stream.end();
    const look = await this.players.look(operator, listener.playerId);
    const shown = JSON.stringify(look);
    if (shown === listener.shown) stream.send('same', {});
    else stream.send('look', look);
    listener.shown = shown;
  }

  private leave(stream: EventStream): void {
    this.listeners.delete(stream);
    if (this.listeners.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
