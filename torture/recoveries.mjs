// How soon all instances are ready again once the last of the faults has ended.
import { setTimeout as pause } from 'node:timers/promises';

export class Recoveries {
  /** Seconds, of those that no other fault cut short. */
  #seconds = [];

  /** `isQuiet` tells whether nothing has begun since. */
  async measure(instances, isQuiet) {
    const endedAt = performance.now();
    for (;;) {
      const ready = await Promise.all(instances.map((instance) => instance.isReady()));
      if (!isQuiet()) return;
      if (ready.every(Boolean)) break;
      await pause(100);
    }
    this.#seconds.push((performance.now() - endedAt) / 1000);
  }

  get count() {
    return this.#seconds.length;
  }

  get longest() {
    return Math.max(0, ...this.#seconds);
  }
}
