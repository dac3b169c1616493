import { DatabaseWaitTimeout } from './database-errors.js';
import { CONNECTION_TIMEOUT_MS } from './time-limits.js';

/** A mutex that serves callers in order of arrival. A caller that waits longer than 2 s is refused. */
export class FifoLock {
  private readonly waiting: Array<() => void> = [];
  private held = false;

  /** Resolves to the function that releases the lock; calling it twice is harmless. */
  async acquire(): Promise<() => void> {
    if (this.held) await this.wait();
    this.held = true;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.held = false;
    };
  }

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
