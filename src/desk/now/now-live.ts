import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { ServiceUnavailable } from '../../http/errors/http.errors.js';
import { OperatorSessions } from '../access/operator-sessions.js';
import type { EventStream } from './event-stream.js';
import { NowService } from './now.service.js';

const EVERY_MS = 5000;
const MOST_LISTENERS = 200;

/** Tells every listener how things stand, every five seconds and with one look, for as long as their sessions stand. */
@Injectable()
export class NowLive implements BeforeApplicationShutdown {
  private readonly logger = new Logger(NowLive.name);
  private readonly listeners = new Map<EventStream, string>();
  private timer?: NodeJS.Timeout;
  private telling?: Promise<void>;

  constructor(
    private readonly now: NowService,
    private readonly sessions: OperatorSessions,
  ) {}

  /** The first look comes before the stream: while there are only headers to send, it can still be refused. */
  async follow(open: () => EventStream, session: string): Promise<void> {
    if (this.listeners.size >= MOST_LISTENERS) throw new ServiceUnavailable('too many listeners');
    const now = await this.now.now();
    const stream = open();
    if (!stream.isOpen) return;
    this.listeners.set(stream, session);
    stream.onClosed(() => this.leave(stream));
    this.timer ??= setInterval(() => this.tellAll(), EVERY_MS).unref();
    stream.send('now', now);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    for (const stream of this.listeners.keys()) stream.end();
    await this.telling;
  }

  private tellAll(): void {
    this.telling ??= this.tell()
      .catch((error: Error) => {
        // Nothing is sent, so the page says since when it is not live.
        for (const stream of this.listeners.keys()) stream.beat();
        this.logger.warn(`the page "now" could not be told: ${error.message}`);
      })
      .finally(() => (this.telling = undefined));
  }

  private async tell(): Promise<void> {
    const standing = new Map<string, boolean>();
    for (const session of new Set(this.listeners.values()))
      standing.set(session, await this.sessions.stands(session));
    for (const [stream, session] of this.listeners) if (!standing.get(session)) stream.end();
    const now = await this.now.now();
    for (const [stream, session] of this.listeners)
      if (standing.get(session)) stream.send('now', now);
  }

  private leave(stream: EventStream): void {
    this.listeners.delete(stream);
    if (this.listeners.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
