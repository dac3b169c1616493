import { type CounterStore, isLocked } from './memory-counter-store.js';

export interface CounterReading {
  count: number;
  /** Time until the count is reset. */
  secondsLeft: number;
  locked: boolean;
}

/**
 * Counts, and leaves the comparison to the caller, because limits are settings that may change between two requests.
 * Adding is atomic: each concurrent call gets its own count.
 */
export class SharedCounter {
  constructor(private readonly store: CounterStore) {}

  /** `window` is in seconds and starts with the first point of a key. */
  async add(key: string, points: number, window: number): Promise<CounterReading> {
    const { count, msLeft } = await this.store.add(key, points, window);
    return { count, secondsLeft: msLeft / 1000, locked: isLocked(count) };
  }

  /** Undoes an `add` by subtracting. Clearing the key would drop what others have just counted. */
  async undoAdd(key: string, points: number, window: number): Promise<void> {
    const { count } = await this.add(key, -points, window);
    // The window has ended, with its points.
    if (count < 0) await this.add(key, -count, window);
  }

  /** The current count of a key, without counting; undefined if nothing is counted. */
  async find(key: string): Promise<CounterReading | undefined> {
    const found = await this.store.find(key);
    if (!found) return undefined;
    const { count, msLeft } = found;
    return { count, secondsLeft: msLeft / 1000, locked: isLocked(count) };
  }

  async lock(key: string, seconds: number): Promise<void> {
    await this.store.lock(key, seconds);
  }

  /** By an operator: also what other instances remember of it. */
  async release(key: string): Promise<void> {
    await this.store.release(key);
  }

  async clear(key: string): Promise<void> {
    await this.store.clear(key);
  }
}
