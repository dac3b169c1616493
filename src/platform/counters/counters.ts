import { Global, Injectable, Module } from '@nestjs/common';
import {
  type CounterState,
  type CounterStore,
  isLocked,
  MemoryCounterStore,
} from './memory-counter-store.js';
import { RedisConnection } from './redis-connection.js';
import { RedisCounterStore } from './redis-counter-store.js';

interface CounterReading {
  count: number;
  secondsLeft: number;
  locked: boolean;
}

/**
 * Counts points and leaves the comparison with a limit to the caller, because limits are settings that may change
 * between two requests. Adding is atomic, so each concurrent call gets its own count.
 */
export class SharedCounter {
  constructor(private readonly store: CounterStore) {}

  /** The window is in seconds and starts with the first point of the key. */
  async add(key: string, points: number, window: number): Promise<CounterReading> {
    return toReading(await this.store.add(key, points, window));
  }

  /** Undoes an `add` by subtracting, because clearing the key would drop concurrent counts. */
  async undoAdd(key: string, points: number, window: number): Promise<void> {
    const { count } = await this.add(key, -points, window);
    // A negative count means that the window of the `add` has ended, so nothing is left to undo.
    if (count < 0) await this.add(key, -count, window);
  }

  /** Returns the count of a key without changing it, or undefined if the key has no count. */
  async find(key: string): Promise<CounterReading | undefined> {
    const found = await this.store.find(key);
    return found && toReading(found);
  }

  async lock(key: string, seconds: number): Promise<void> {
    await this.store.lock(key, seconds);
  }

  /** Clears a key for an operator, even if other instances remember its count. */
  async release(key: string): Promise<void> {
    await this.store.release(key);
  }

  async clear(key: string): Promise<void> {
    await this.store.clear(key);
  }
}

function toReading({ count, msLeft }: CounterState): CounterReading {
  return { count, secondsLeft: msLeft / 1000, locked: isLocked(count) };
}

/** Creates counters that all instances share through Redis. Without Redis, each instance counts in memory. */
@Injectable()
export class Counters {
  constructor(private readonly redis: RedisConnection) {}

  /** The name is the prefix of all the counter's keys, so each counter needs a different name. */
  create(name: string): SharedCounter {
    return new SharedCounter(
      this.redis.isConfigured ? new RedisCounterStore(name, this.redis) : new MemoryCounterStore(),
    );
  }
}

export interface Limit {
  counter: SharedCounter;
  key: string;
  max: number;
  /** The window is in seconds. */
  window: number;
}

/** Counts one point towards every limit, or throws and counts none. Returns a function that undoes the count. */
export async function consumeLimits(
  limits: Limit[],
  createError: (secondsLeft: number, limit: Limit) => Error,
): Promise<() => Promise<void>> {
  const counted: Limit[] = [];
  const undo = async () => {
    await Promise.all(counted.map(({ counter, key, window }) => counter.undoAdd(key, 1, window)));
  };
  for (const limit of limits) {
    const { count, secondsLeft } = await limit.counter.add(limit.key, 1, limit.window);
    counted.push(limit);
    if (count <= limit.max) continue;
    await undo();
    throw createError(secondsLeft, limit);
  }
  return undo;
}

@Global()
@Module({ providers: [RedisConnection, Counters], exports: [RedisConnection, Counters] })
export class CountersModule {}
