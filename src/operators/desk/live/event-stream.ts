import type { Response } from 'express';

const MAX_BUFFERED_BYTES = 256 * 1024;
const CLOSE_TIMEOUT_MS = 5000;

/** Server-sent events to one browser. */
export class EventStream {
  constructor(private readonly response: Response) {
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Otherwise nginx would buffer events.
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
  }

  onClosed(handler: () => void): void {
    this.response.once('close', handler);
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed && !this.response.closed;
  }

  send(event: string, data: object): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Shows that the connection is alive. */
  heartbeat(): void {
    this.write(':\n\n');
  }

  /** Ends it even if the reader does not take the rest. */
  end(): void {
    this.response.end();
    const cut = setTimeout(() => this.response.destroy(), CLOSE_TIMEOUT_MS).unref();
    this.onClosed(() => clearTimeout(cut));
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    // A client that does not read is dropped, and reconnects.
    if (this.response.writableLength > MAX_BUFFERED_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
