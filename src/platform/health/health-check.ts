import { setTimeout as pause } from 'node:timers/promises';

const MAX_WAIT_MS = 50;
const STALE_MS = 2000;

/**
 * A health check. A busy process needs many turns of its event loop for one check, which must not look like a failure:
 * after 50 ms the last good result counts, if it is at most 2 s old.
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
