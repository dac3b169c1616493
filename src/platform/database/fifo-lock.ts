import { DatabaseWaitTimeout } from './database-errors.js';
import { CONNECTION_TIMEOUT_MS } from './time-limits.js';

/** A lock that serves callers in order of arrival. A caller that waits longer than 2 s is refused. */
export class FifoLock {
  private readonly waiting: Array<() => void> = [];
  private holders = 0;

  constructor(private readonly maxHolders = 1) {}

  get isFree(): boolean {
    return this.holders === 0;
  }

  /** Resolves to the function that releases the lock; calling it twice is harmless. */
  async acquire(): Promise<() => void> {
    if (this.holders < this.maxHolders) this.holders++;
    else await this.wait();
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.holders--;
    };
  }

  /** Resolves when a holder passes its place on. */
  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(new DatabaseWaitTimeout());
      }, CONNECTION_TIMEOUT_MS);
      this.waiting.push(enter);
    });
  }
}
