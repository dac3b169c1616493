import { ServiceUnavailable } from '../../../platform/http/errors/http.errors.js';
import type { EventStream } from './event-stream.js';

const EVERY_MS = 5000;
const MOST = 200;
const MOST_OF_A_SESSION = 20;

export interface Subscriber<About> {
  readonly session: string;
  readonly about: About;
}

/** Subscribers of one event stream. `send` runs every five seconds while there are any. */
export class Subscribers<About> {
  private readonly streams = new Map<EventStream, Subscriber<About>>();
  /** Includes subscribers whose first event is still being read. */
  private readonly places = new Set<{ session: string }>();
  private timer?: NodeJS.Timeout;
  private sending?: Promise<void>;

  constructor(private readonly send: () => Promise<void>) {}

  /** Reads the first event before it opens the stream, so that an error can still become an error response. */
  async add(
    session: string,
    open: () => EventStream,
    read: () => Promise<{ event: string; data: object; about: About }>,
  ): Promise<void> {
    const place = this.takePlace(session);
    try {
      const { event, data, about } = await read();
      const stream = open();
      if (!stream.isOpen) return void this.places.delete(place);
      this.streams.set(stream, { session, about });
      stream.onClosed(() => {
        this.places.delete(place);
        this.leave(stream);
      });
      this.timer ??= setInterval(() => this.sendToAll(), EVERY_MS).unref();
      stream.send(event, data);
    } catch (error) {
      this.places.delete(place);
      throw error;
    }
  }

  [Symbol.iterator](): Iterator<[EventStream, Subscriber<About>]> {
    return this.streams[Symbol.iterator]();
  }

  get size(): number {
    return this.streams.size;
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    for (const stream of this.streams.keys()) stream.end();
    await this.sending;
  }

  private takePlace(session: string): { session: string } {
    const mine = [...this.places].filter((place) => place.session === session);
    if (this.places.size >= MOST || mine.length >= MOST_OF_A_SESSION)
      throw new ServiceUnavailable('too many subscribers');
    const place = { session };
    this.places.add(place);
    return place;
  }

  private sendToAll(): void {
    this.sending ??= this.send().finally(() => (this.sending = undefined));
  }

  private leave(stream: EventStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
