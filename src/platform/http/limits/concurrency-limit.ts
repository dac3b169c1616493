import type { RequestPriority } from './priority.decorator.js';

// A request waits one turn of the event loop at each await: five turns of 50 ms are a quarter of a second.
const LATE_MS = 30;
// Limit for the quickest request that needs only the account database.
const SLOW_MS = 250;
const WINDOW_MS = 100;
// This many at once are not an overload, however slow the machine is.
const BURST = 256;
const LEAST = 64;
export const MAX_CONCURRENT_REQUESTS = 4096;

const SHARES: Record<RequestPriority, number> = { begun: 1.5, game: 1, login: 0.85, other: 0.7 };

/**
 * How many requests may be in progress. The limit falls while the event loop is late or every answer is slow, and rises
 * again afterwards. As in CoDel, the best sample of a window counts: only a queue that never empties is an overload.
 */
export class ConcurrencyLimit {
  limit = MAX_CONCURRENT_REQUESTS;
  private since = 0;
  private samples = 0;
  private lateness = Infinity;
  private quickest = Infinity;
  private turnedAway = false;

  admits(priority: RequestPriority, inProgress: number): boolean {
    const admitted = inProgress < this.limit * SHARES[priority];
    if (!admitted) this.turnedAway = true;
    return admitted;
  }

  answered(milliseconds: number): void {
    if (milliseconds < this.quickest) this.quickest = milliseconds;
  }

  /** Takes a sample of how late the event loop is; called every few milliseconds. */
  observe(lateMs: number, inProgress: number, now: number): void {
    this.lateness = Math.min(this.lateness, lateMs);
    // One long pause, such as a garbage collection, is not a queue.
    if (++this.samples < 2 || now - this.since < WINDOW_MS) return;
    this.adapt(inProgress);
    this.since = now;
    this.samples = 0;
    this.lateness = this.quickest = Infinity;
    this.turnedAway = false;
  }

  private adapt(inProgress: number): void {
    const slow = this.quickest === Infinity ? 0 : this.quickest / SLOW_MS;
    const excess = Math.max(this.lateness / LATE_MS, slow);
    if (excess <= 1)
      this.limit = Math.min(MAX_CONCURRENT_REQUESTS, this.limit * (this.turnedAway ? 1.1 : 2));
    else if (inProgress >= Math.min(BURST, this.limit / 2))
      this.limit = Math.max(LEAST, Math.min(this.limit, inProgress) * Math.max(0.5, 1 / excess));
  }
}
