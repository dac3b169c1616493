/** The count of a locked key; nobody reaches it by counting. */
export const LOCKED = 1_000_000_000;

export const isLocked = (count: number) => count >= LOCKED / 2;

/** The count of a key, and how long it lasts. */
export interface Standing {
  count: number;
  msLeft: number;
}

type Maybe<T> = T | Promise<T>;

/** Atomic operations on counts. Windows and locks are in seconds; a window starts with its first point. */
export interface Counts {
  add(key: string, points: number, window: number): Maybe<Standing>;
  lock(key: string, seconds: number): Maybe<unknown>;
  clear(key: string): Maybe<unknown>;
  /** The same by an operator, on all instances. */
  release(key: string): Maybe<unknown>;
  /** Where it stands; undefined where nothing is counted. */
  find(key: string): Maybe<Standing | undefined>;
}

/** Counts of this instance alone, which also note what the shared counts stood at, and when. */
export interface OwnCounts extends Counts {
  /** With `notedAt`, the shared counts have the lock too. */
  lock(key: string, seconds: number, notedAt?: number): Maybe<unknown>;
  /** What the shared counts may lack, if they lost everything before `since`. */
  findAhead(key: string, since: number): Maybe<Standing | undefined>;
  /** `points` were added elsewhere, which made it `standing`. */
  note(key: string, points: number, standing: Standing, notedAt: number): Maybe<unknown>;
}

interface Entry {
  count: number;
  until: number;
  /** When the shared counts stood at it; undefined for what was counted here alone. */
  notedAt?: number;
}

// Of open keys, and as many locked ones. Each table takes 13 MB when it is full.
const MOST_KEYS = 50_000;
const SWEEP_EVERY_MS = 60_000;
const SWEEP_LOCKED_EVERY_MS = 1000;
// Locks that find no room are kept for all keys of a bucket.
const BUCKETS = 4096;

/**
 * Counts in memory, of a bounded number of keys: whoever can invent keys must not be able to fill the heap. The
 * oldest counts make room for new ones. A locked key never does: filling the table would be a way to unlock it.
 */
export class MemoryCounts implements OwnCounts {
  // In the order in which windows began, which is roughly the order in which they end.
  private readonly open = new Map<string, Entry>();
  private readonly locked = new Map<string, Entry>();
  private readonly lockedBuckets = new Map<number, Entry>();
  private sweptAt = Date.now();
  private sweptLockedAt = 0;

  constructor(private readonly mostKeys = MOST_KEYS) {}

  get size(): number {
    return this.open.size + this.locked.size + this.lockedBuckets.size;
  }

  add(key: string, points: number, window: number): Standing {
    const entry = this.current(key);
    if (entry) {
      entry.count += points;
      if (points !== 0) entry.notedAt = undefined;
      return standing(entry);
    }
    // Reading must not create a key.
    if (points === 0) return { count: 0, msLeft: window * 1000 };
    return standing(this.begin(key, points, window * 1000));
  }

  lock(key: string, seconds: number, notedAt?: number): void {
    this.begin(key, LOCKED, seconds * 1000, notedAt);
  }

  clear(key: string): void {
    this.open.delete(key);
    this.locked.delete(key);
  }

  release(key: string): void {
    this.clear(key);
  }

  find(key: string): Standing | undefined {
    const entry = this.current(key);
    return entry && standing(entry);
  }

  findAhead(key: string, since: number): Standing | undefined {
    const entry = this.current(key);
    return entry && (entry.notedAt ?? 0) < since ? standing(entry) : undefined;
  }

  /** Never below what was counted here: the shared counts may have missed that. */
  note(key: string, points: number, { count, msLeft }: Standing, notedAt: number): void {
    const entry = this.current(key);
    if (entry && points < 0) entry.count = Math.max(entry.count + points, count);
    else if (count > (entry?.count ?? 0)) this.begin(key, count, msLeft, notedAt);
  }

  private current(key: string): Entry | undefined {
    const now = Date.now();
    const entry = this.locked.get(key) ?? this.open.get(key);
    if (entry && entry.until > now) return entry;
    if (entry) this.clear(key);
    const shared = this.lockedBuckets.size > 0 ? this.lockedBuckets.get(bucketOf(key)) : undefined;
    return shared && shared.until > now ? shared : undefined;
  }

  private begin(key: string, count: number, ms: number, notedAt?: number): Entry {
    this.clear(key);
    const entry = { count, until: Date.now() + ms, notedAt };
    if (isLocked(count)) this.keepLocked(key, entry);
    else {
      this.makeRoom();
      this.open.set(key, entry);
    }
    return entry;
  }

  private keepLocked(key: string, entry: Entry): void {
    const now = Date.now();
    if (this.locked.size >= this.mostKeys && now - this.sweptLockedAt > SWEEP_LOCKED_EVERY_MS) {
      this.sweptLockedAt = now;
      for (const keys of [this.locked, this.lockedBuckets]) removeEnded(keys, now);
    }
    if (this.locked.size < this.mostKeys) this.locked.set(key, entry);
    else this.lockedBuckets.set(bucketOf(key), entry);
  }

  /** Many at a time: to find the first key of a Map costs a step for each that was deleted before it. */
  private makeRoom(): void {
    const now = Date.now();
    if (this.open.size < this.mostKeys && now - this.sweptAt < SWEEP_EVERY_MS) return;
    this.sweptAt = now;
    for (const keys of [this.locked, this.lockedBuckets, this.open]) removeEnded(keys, now);
    if (this.open.size < this.mostKeys) return;
    let toGo = Math.ceil(this.mostKeys / 16);
    for (const key of this.open.keys()) {
      if (toGo-- === 0) return;
      this.open.delete(key);
    }
  }
}

function removeEnded(keys: Map<unknown, Entry>, now: number): void {
  for (const [key, { until }] of keys) if (until <= now) keys.delete(key);
}

function bucketOf(key: string): number {
  let hash = 0;
  for (let place = 0; place < key.length; place++)
    hash = (Math.imul(hash, 31) + key.charCodeAt(place)) | 0;
  return (hash >>> 0) % BUCKETS;
}

function standing({ count, until }: Entry): Standing {
  return { count, msLeft: until - Date.now() };
}
