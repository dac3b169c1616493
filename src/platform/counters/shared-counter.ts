import { type CounterStore, isLocked } from '../cluster/memory-counter-store.js';

export interface CounterReading {
  count: number;
  /** Time until the count is reset. */
  secondsLeft: number;
  locked: boolean;
}

/** Neither Redis nor the primary process answered. Logins and codes are then refused, not let in uncounted. */
export class CounterUnavailable extends Error {
  constructor(cause: unknown) {
    super('a count could not be read', { cause });
  }
}

/**
 * Counts, and leaves the comparison to the caller, because limits are settings that may change between two requests.
 * Adding is atomic: of many concurrent calls each sees its own count.
 */
export class SharedCounter {
  constructor(private readonly store: CounterStore) {}

  /** `window` is in seconds and starts with the first point of a key. */
  async add(key: string, points: number, window: number): Promise<CounterReading> {
    const { count, msLeft } = await orUnavailable(() => this.store.add(key, points, window));
    return { count, secondsLeft: msLeft / 1000, locked: isLocked(count) };
  }

  /** Undoes an `add` by subtracting. Clearing the key would drop what others have just counted. */
  async undoAdd(key: string, points: number, window: number): Promise<void> {
    const { count } = await this.add(key, -points, window);
    // The window ended meanwhile, and its points with it.
    if (count < 0) await this.add(key, -count, window);
  }

  /** Where a key stands, without counting; undefined where nothing is counted. */
  async find(key: string): Promise<CounterReading | undefined> {
    const found = await orUnavailable(() => this.store.find(key));
    if (!found) return undefined;
    const { count, msLeft } = found;
    return { count, secondsLeft: msLeft / 1000, locked: isLocked(count) };
  }

  async lock(key: string, seconds: number): Promise<void> {
    await orUnavailable(() => this.store.lock(key, seconds));
  }

  /** By an operator: also what other instances have kept of it. */
  async release(key: string): Promise<void> {
    await orUnavailable(() => this.store.release(key));
  }

  async clear(key: string): Promise<void> {
    await orUnavailable(() => this.store.clear(key));
  }
}

async function orUnavailable<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new CounterUnavailable(error);
  }
}
