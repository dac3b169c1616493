import { monotonicClock } from '../config/time.js';

/** Marks a locked key. Normal counting cannot reach this count. */
export const LOCKED_COUNT = 1_000_000_000;

export const isLocked = (count: number) => count >= LOCKED_COUNT / 2;

export interface CounterState {
  count: number;
  msLeft: number;
}

type MaybePromise<T> = T | Promise<T>;

/** Changes counts atomically. Windows and locks are in seconds, and a window starts with its first point. */
export interface CounterStore {
  add(key: string, points: number, window: number): MaybePromise<CounterState>;
  lock(key: string, seconds: number): MaybePromise<unknown>;
  clear(key: string): MaybePromise<unknown>;
  /** Clears the key on all instances, for an operator. */
  release(key: string): MaybePromise<unknown>;
  find(key: string): MaybePromise<CounterState | undefined>;
}

interface Entry {
  count: number;
  until: number;
  /** Redis last had this count at this time. The time is undefined if only this instance counted. */
  sharedAt?: number;
}

// This limit applies separately to open and to locked keys. Each table uses 13 MB when it is full.
const MAX_KEYS = 50_000;
const SWEEP_EVERY_MS = 60_000;
const SWEEP_LOCKED_EVERY_MS = 1000;
// Locks that do not fit into the table apply to all keys of a bucket.
const BUCKETS = 4096;

/**
 * Counts in memory with a bounded number of keys, so that clients cannot fill the heap by inventing keys. New counts
 * replace the oldest ones. They never replace a locked key, because an attacker could otherwise unlock a key by filling
 * the table. With Redis, the store also remembers each key's last shared count and its time (`sharedAt`).
 */
export class MemoryCounterStore implements CounterStore {
  // The keys are in the order in which their windows began, which is roughly the order in which they end.
  private readonly open = new Map<string, Entry>();
  private readonly locked = new Map<string, Entry>();
  private readonly lockedBuckets = new Map<number, Entry>();
  private sweptAt = monotonicClock.now();
  private sweptLockedAt = 0;

  constructor(private readonly maxKeys = MAX_KEYS) {}

  get size(): number {
    return this.open.size + this.locked.size + this.lockedBuckets.size;
  }

  add(key: string, points: number, window: number): CounterState {
    const entry = this.current(key);
    if (entry) {
      entry.count += points;
      if (points !== 0) entry.sharedAt = undefined;
      return toState(entry);
    }
    // Reading a count must not create a key.
    if (points === 0) return { count: 0, msLeft: window * 1000 };
    return toState(this.startWindow(key, points, window * 1000));
  }

  /** The caller passes `sharedAt` if Redis has locked the key too. */
  lock(key: string, seconds: number, sharedAt?: number): void {
    this.startWindow(key, LOCKED_COUNT, seconds * 1000, sharedAt);
  }

  clear(key: string): void {
    this.open.delete(key);
    this.locked.delete(key);
  }

  release(key: string): void {
    this.clear(key);
  }

  find(key: string): CounterState | undefined {
    const entry = this.current(key);
    return entry && toState(entry);
  }

  /** Returns the key's count if Redis would lack it after losing everything before `since`. */
  findUnshared(key: string, since: number): CounterState | undefined {
    const entry = this.current(key);
    return entry && (entry.sharedAt ?? 0) < since ? toState(entry) : undefined;
  }

  /** Remembers the shared count after `points` were added, unless the local count is higher. */
  recordShared(
    key: string,
    points: number,
    { count, msLeft }: CounterState,
    sharedAt: number,
  ): void {
    const entry = this.current(key);
    if (entry && points < 0) entry.count = Math.max(entry.count + points, count);
    else if (count > (entry?.count ?? 0)) this.startWindow(key, count, msLeft, sharedAt);
  }

  private current(key: string): Entry | undefined {
    const now = monotonicClock.now();
    const entry = this.locked.get(key) ?? this.open.get(key);
    if (entry && entry.until > now) return entry;
    if (entry) this.clear(key);
    const shared = this.lockedBuckets.size > 0 ? this.lockedBuckets.get(bucketOf(key)) : undefined;
    return shared && shared.until > now ? shared : undefined;
  }

  private startWindow(key: string, count: number, ms: number, sharedAt?: number): Entry {
    this.clear(key);
    const entry: Entry = { count, until: monotonicClock.now() + ms, sharedAt };
    if (isLocked(count)) this.storeLocked(key, entry);
    else {
      this.makeRoom();
      this.open.set(key, entry);
    }
    return entry;
  }

  private storeLocked(key: string, entry: Entry): void {
    const now = monotonicClock.now();
    if (this.locked.size >= this.maxKeys && now - this.sweptLockedAt > SWEEP_LOCKED_EVERY_MS) {
      this.sweptLockedAt = now;
      for (const keys of [this.locked, this.lockedBuckets]) removeExpired(keys, now);
    }
    if (this.locked.size < this.maxKeys) this.locked.set(key, entry);
    else this.lockedBuckets.set(bucketOf(key), entry);
  }

  /** Deletes many keys at a time, because finding a Map's first key means skipping all keys deleted before it. */
  private makeRoom(): void {
    const now = monotonicClock.now();
    if (this.open.size < this.maxKeys && now - this.sweptAt < SWEEP_EVERY_MS) return;
    this.sweptAt = now;
    for (const keys of [this.locked, this.lockedBuckets, this.open]) removeExpired(keys, now);
    if (this.open.size < this.maxKeys) return;
    let remaining = Math.ceil(this.maxKeys / 16);
    for (const key of this.open.keys()) {
      if (remaining-- === 0) return;
      this.open.delete(key);
    }
  }
}

function removeExpired(keys: Map<unknown, Entry>, now: number): void {
  for (const [key, { until }] of keys) if (until <= now) keys.delete(key);
}

function bucketOf(key: string): number {
  let hash = 0;
  for (let place = 0; place < key.length; place++)
    hash = (Math.imul(hash, 31) + key.charCodeAt(place)) | 0;
  return (hash >>> 0) % BUCKETS;
}

function toState({ count, until }: Entry): CounterState {
  return { count, msLeft: until - monotonicClock.now() };
}
