import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { GracefulStop } from '../http/server/graceful-stop.js';

// What is cut short still has its outcome to write down.
const LAST_WORDS_MS = 2000;

/**
 * Withdrawals that are being carried out. The end of the service waits for them, also where the client has gone
 * and no connection is left to wait for; then it cuts their calls short, so that they are written down as unknown.
 */
@Injectable()
export class InFlightWithdrawals implements BeforeApplicationShutdown {
  private readonly work = new Set<Promise<unknown>>();
  private readonly end = new AbortController();
  readonly stopped = this.end.signal;

  constructor(private readonly stop: GracefulStop) {
    // Each call that is out listens.
    setMaxListeners(0, this.stopped);
  }

  track<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.work.add(settled);
    void settled.then(() => this.work.delete(settled));
    return work;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.allDone(this.stop.timeLeft);
    this.end.abort();
    await this.allDone(LAST_WORDS_MS);
  }

  private async allDone(patience: number): Promise<void> {
    if (this.work.size === 0) return;
    const enough = new AbortController();
    const all = Promise.all(this.work).then(() => enough.abort());
    await Promise.race([
      all,
      pause(patience, undefined, { signal: enough.signal }).catch(() => {}),
    ]);
  }
}
