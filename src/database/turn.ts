import { DatabaseWaitTimeout } from './database-errors.js';

const PATIENCE_MS = 2000;

/** Lets in one at a time, in order of arrival, and nobody waits for ever. */
export class Turn {
  private readonly waiting: Array<() => void> = [];
  private taken = false;

  async take(): Promise<() => void> {
    if (this.taken) await this.wait();
    this.taken = true;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.taken = false;
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
      }, PATIENCE_MS);
      this.waiting.push(enter);
    });
  }
}
