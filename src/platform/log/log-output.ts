import { write, writeSync } from 'node:fs';

const BUFFER_BYTES = 1024 * 1024;
// A pipe accepts up to 4 KiB in one piece, so the service's lines do not mix with the desk's lines.
const CHUNK_BYTES = 4096;
const RETRY_MS = 100;
// A write costs ten times as much as creating a line, so lines are collected for a moment.
const GATHER_MS = 10;
const FLUSH_PAUSE_MS = 50;
const MAX_FLUSH_PAUSES = 20;

/**
 * Writes lines without waiting for their reader, and drops lines that do not fit into the buffer. pino's own
 * destination waits forever when the process ends, and ends the process when the disk is full.
 */
export class LogOutput {
  /** Counts the lines that were lost because the buffer was full. */
  dropped = 0;

  private readonly chunks: Array<string | Buffer> = [];
  private lastChunkBytes = Infinity;
  private bufferedBytes = 0;
  private isWriting = false;
  private flushPausesLeft = MAX_FLUSH_PAUSES;

  /** Takes a function `unblock` that makes the system immediately reject data that it cannot accept. */
  constructor(
    private readonly fd: number,
    private readonly unblock: () => void = () => undefined,
  ) {}

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.bufferedBytes + bytes > BUFFER_BYTES) {
      this.dropped++;
      return;
    }
    this.bufferedBytes += bytes;
    if (this.lastChunkBytes + bytes > CHUNK_BYTES) {
      this.chunks.push(line);
      this.lastChunkBytes = bytes;
    } else {
      this.chunks.push(`${String(this.chunks.pop())}${line}`);
      this.lastChunkBytes += bytes;
    }
    if (!this.isWriting) this.scheduleWrite();
  }

  /** Writes the remaining lines when the process ends. It waits for the reader for at most one second in total. */
  flushSync(): void {
    for (let chunk = this.nextChunk(); chunk; chunk = this.nextChunk()) {
      try {
        this.unblock();
        this.markWritten(chunk, writeSync(this.fd, chunk));
      } catch (error) {
        this.chunks.unshift(chunk);
        const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isFull || this.flushPausesLeft-- <= 0) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FLUSH_PAUSE_MS);
      }
    }
  }

  /**
   * Delays every write, so that `flushSync`, which waits for the reader, writes the lines of the process's last event
   * loop turn.
   */
  private scheduleWrite(): void {
    this.isWriting = this.chunks.length > 0;
    if (!this.isWriting) return;
    const isFull = this.chunks.length > 1;
    if (isFull) setImmediate(() => this.writeNext());
    else setTimeout(() => this.writeNext(), GATHER_MS);
  }

  private writeNext(): void {
    const chunk = this.nextChunk();
    if (!chunk) return this.scheduleWrite();
    this.unblock();
    write(this.fd, chunk, (error, bytes) => {
      if (error) {
        this.chunks.unshift(chunk);
        // The log alone must not keep the process alive.
        setTimeout(() => this.writeNext(), RETRY_MS).unref();
      } else {
        this.markWritten(chunk, bytes);
        this.scheduleWrite();
      }
    });
  }

  private nextChunk(): Buffer | undefined {
    const chunk = this.chunks.shift();
    if (this.chunks.length === 0) this.lastChunkBytes = Infinity;
    return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }

  private markWritten(chunk: Buffer, bytes: number): void {
    this.bufferedBytes -= bytes;
    if (bytes < chunk.length) this.chunks.unshift(chunk.subarray(bytes));
  }
}
