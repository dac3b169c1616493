import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { GracefulShutdown } from '../../platform/http/server/graceful-shutdown.js';

// What is cut short still has its outcome to write down.
const RECORDING_GRACE_MS = 2000;

/**
 * Withdrawals that are being carried out. The end of the service waits for them, also where the client has gone
 * and no connection is left to wait for; then it cuts their calls short, so that they are written down as unknown.
 */
@Injectable()
export class InFlightWithdrawals implements BeforeApplicationShutdown {
  private readonly work = new Set<Promise<unknown>>();
  private readonly abortController = new AbortController();
  readonly stopSignal = this.abortController.signal;

  constructor(private readonly gracefulStop: GracefulShutdown) {
    // Each call that is out listens.
    setMaxListeners(0, this.stopSignal);
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
    await this.waitForAll(this.gracefulStop.timeLeft);
    this.abortController.abort();
    await this.waitForAll(RECORDING_GRACE_MS);
  }

  private async waitForAll(timeoutMs: number): Promise<void> {
    if (this.work.size === 0) return;
    const finished = new AbortController();
    const all = Promise.all(this.work).then(() => finished.abort());
    await Promise.race([
      all,
      pause(timeoutMs, undefined, { signal: finished.signal }).catch(() => {}),
    ]);
  }
}
