import { setTimeout as pause } from 'node:timers/promises';

const MAX_WAIT_MS = 50;
const STALE_MS = 2000;

/**
 * Whether all is well with something. A busy process takes many turns of its event loop for one look, and whoever asks
 * for health must not take that for a failure: after 50 ms a look that found all well counts, if it is no older than 2 s.
 */
export class HealthCheck {
  private healthyAt = -Infinity;

  constructor(private readonly check: () => Promise<boolean>) {}

  isHealthy(): Promise<boolean> {
    const pending = this.recheck();
    if (performance.now() - this.healthyAt > STALE_MS) return pending;
    return Promise.race([pending, pause(MAX_WAIT_MS, true, { ref: false })]);
  }

  private async recheck(): Promise<boolean> {
    const isGood = await this.check();
    this.healthyAt = isGood ? performance.now() : -Infinity;
    return isGood;
  }
}
