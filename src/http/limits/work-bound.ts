import type { RequestClass } from './request-class.js';

// A request waits one turn of the event loop for each thing it waits for: five at 50 ms are a quarter of a second.
const LATE_MS = 30;
// The quickest of the requests that need the account database alone.
const SLOW_MS = 250;
const WINDOW_MS = 100;
// A burst of so many is no overload, however slow the machine is at the moment.
const BURST = 256;
const LEAST = 64;
export const MOST = 4096;

const SHARES: Record<RequestClass, number> = { begun: 1.5, game: 1, login: 0.85, other: 0.7 };

/**
 * How many requests may be under way. It falls while the event loop is late or every answer slow, and rises again
 * afterwards. As in CoDel, the best of a window counts: a queue that never empties is one that stands.
 */
export class WorkBound {
  limit = MOST;
  private since = 0;
  private samples = 0;
  private lateness = Infinity;
  private quickest = Infinity;
  private turnedAway = false;

  admits(of: RequestClass, underWay: number): boolean {
    const admitted = underWay < this.limit * SHARES[of];
    if (!admitted) this.turnedAway = true;
    return admitted;
  }

  answered(milliseconds: number): void {
    if (milliseconds < this.quickest) this.quickest = milliseconds;
  }

  /** Told often how late the event loop is. */
  observe(lateMs: number, underWay: number, now: number): void {
    this.lateness = Math.min(this.lateness, lateMs);
    // One long stop, such as a garbage collection, is not a queue.
    if (++this.samples < 2 || now - this.since < WINDOW_MS) return;
    this.adapt(underWay);
    this.since = now;
    this.samples = 0;
    this.lateness = this.quickest = Infinity;
    this.turnedAway = false;
  }

  private adapt(underWay: number): void {
    const slow = this.quickest === Infinity ? 0 : this.quickest / SLOW_MS;
    const excess = Math.max(this.lateness / LATE_MS, slow);
    if (excess <= 1) this.limit = Math.min(MOST, this.limit * (this.turnedAway ? 1.1 : 2));
    else if (underWay >= Math.min(BURST, this.limit / 2))
      this.limit = Math.max(LEAST, Math.min(this.limit, underWay) * Math.max(0.5, 1 / excess));
  }
}
