import { ServiceUnavailable } from '../../http/errors/http.errors.js';
import type { EventStream } from './event-stream.js';

const EVERY_MS = 5000;
const MOST = 200;
const MOST_OF_A_SESSION = 20;

export interface Listener<About> {
  readonly session: string;
  readonly about: About;
}

/** Those to whom one kind of news is told every five seconds, from their first look until they leave. */
export class Listeners<About> {
  private readonly streams = new Map<EventStream, Listener<About>>();
  /** Also of those whose first look is under way. */
  private readonly places = new Set<{ session: string }>();
  private timer?: NodeJS.Timeout;
  private telling?: Promise<void>;

  constructor(private readonly tell: () => Promise<void>) {}

  /** The first look comes before the stream: while there are only headers to send, it can still be refused. */
  async add(
    session: string,
    open: () => EventStream,
    look: () => Promise<{ event: string; data: object; about: About }>,
  ): Promise<void> {
    const place = this.takePlace(session);
    try {
      const { event, data, about } = await look();
      const stream = open();
      if (!stream.isOpen) return void this.places.delete(place);
      this.streams.set(stream, { session, about });
      stream.onClosed(() => {
        this.places.delete(place);
        this.leave(stream);
      });
      this.timer ??= setInterval(() => this.tellAll(), EVERY_MS).unref();
      stream.send(event, data);
    } catch (error) {
      this.places.delete(place);
      throw error;
    }
  }

  [Symbol.iterator](): Iterator<[EventStream, Listener<About>]> {
    return this.streams[Symbol.iterator]();
  }

  get size(): number {
    return this.streams.size;
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    for (const stream of this.streams.keys()) stream.end();
    await this.telling;
  }

  private takePlace(session: string): { session: string } {
    const mine = [...this.places].filter((place) => place.session === session);
    if (this.places.size >= MOST || mine.length >= MOST_OF_A_SESSION)
      throw new ServiceUnavailable('too many listeners');
    const place = { session };
    this.places.add(place);
    return place;
  }

  private tellAll(): void {
    this.telling ??= this.tell().finally(() => (this.telling = undefined));
  }

  private leave(stream: EventStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
