import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { GracefulShutdown } from '../../platform/http/server/graceful-shutdown.js';

// An aborted call still has to record its outcome.
const RECORDING_GRACE_MS = 2000;

/**
 * Withdrawals in progress. A stopping service waits for them, even if their client has disconnected; then it aborts
 * their calls, so that they are recorded as unknown.
 */
@Injectable()
export class InFlightWithdrawals implements BeforeApplicationShutdown {
  private readonly work = new Set<Promise<unknown>>();
  private readonly abortController = new AbortController();
  readonly stopSignal = this.abortController.signal;

  constructor(private readonly gracefulStop: GracefulShutdown) {
    // Each running call adds a listener.
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

  /** Includes what starts meanwhile: an outcome is recorded after its command is answered. */
  private async waitForAll(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.work.size > 0 && performance.now() < deadline) {
      const finished = new AbortController();
      const timeUp = pause(deadline - performance.now(), undefined, { signal: finished.signal });
      await Promise.race([Promise.all(this.work), timeUp.catch(() => undefined)]);
      finished.abort();
    }
  }
}
