import { afterEach, describe, expect, it, vi } from 'vitest';
import { isLocked, LOCKED_COUNT, MemoryCounterStore } from './memory-counter-store.js';
import { monotonicClock } from '../config/time.js';

const WINDOW = 60;

const look = (counts: MemoryCounterStore, key: string) => counts.findUnshared(key, Infinity);

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function pass(seconds: number): void {
  const later = monotonicClock.now() + seconds * 1000;
  vi.spyOn(monotonicClock, 'now').mockReturnValue(later);
}

describe('MemoryCounterStore', () => {
  it('starts a window with the first point and ends it on time', () => {
    const counts = new MemoryCounterStore();
    expect(counts.add('key', 1, WINDOW)).toMatchObject({ count: 1 });
    pass(40);
    expect(counts.add('key', 1, WINDOW).count).toBe(2);
    pass(21);
    expect(counts.add('key', 1, WINDOW).count).toBe(1);
  });

  it('keeps a lock for its full duration, whatever is added', () => {
    const counts = new MemoryCounterStore();
    counts.add('key', 5, 300);
    counts.lock('key', 60);
    pass(59);
    expect(isLocked(counts.add('key', 1, 300).count)).toBe(true);
    pass(2);
    expect(counts.add('key', 1, 300).count).toBe(1);
  });

  it('keeps the length of windows and locks when the system clock is set back', () => {
    const counts = new MemoryCounterStore();
    counts.add('counted', 1, WINDOW);
    counts.lock('locked', WINDOW);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    expect(counts.find('locked')!.msLeft).toBeLessThanOrEqual(WINDOW * 1000);
    pass(WINDOW);
    expect(counts.find('counted')).toBeUndefined();
    expect(counts.find('locked')).toBeUndefined();
  });

  it('creates no key on reads', () => {
    const counts = new MemoryCounterStore();
    expect(counts.add('key', 0, WINDOW)).toEqual({ count: 0, msLeft: 60_000 });
    expect(counts.size).toBe(0);
  });

  it('removes expired keys that are never read again', () => {
    const counts = new MemoryCounterStore();
    for (let key = 0; key < 100; key++) counts.add(`${key}`, 1, WINDOW);
    for (let key = 0; key < 100; key++) counts.lock(`locked ${key}`, WINDOW);
    pass(120);
    counts.add('another', 1, WINDOW);
    expect(counts.size).toBe(1);
  });
});

describe('MemoryCounterStore during a flood of keys', () => {
  const MOST = 1000;

  function flooded(): MemoryCounterStore {
    const counts = new MemoryCounterStore(MOST);
    counts.lock('locked', 900);
    counts.add('old', 4, WINDOW);
    for (let key = 0; key < 20 * MOST; key++) counts.add(`fresh ${key}`, 1, WINDOW);
    return counts;
  }

  it('holds at most the configured number of keys', () => {
    expect(flooded().size).toBeLessThanOrEqual(MOST + 1);
  });

  it('evicts the oldest counts first', () => {
    const counts = flooded();
    expect(look(counts, 'old')).toBeUndefined();
    expect(look(counts, `fresh ${20 * MOST - 1}`)?.count).toBe(1);
    expect(look(counts, `fresh ${20 * MOST - MOST / 2}`)?.count).toBe(1);
  });

  it('never evicts a locked key', () => {
    expect(look(flooded(), 'locked')?.count).toBe(LOCKED_COUNT);
  });

  it('never unlocks a key when it locks others', () => {
    const counts = flooded();
    for (let key = 0; key < 20 * MOST; key++) counts.lock(`fresh ${key}`, 900);
    for (const key of ['locked', 'fresh 0', `fresh ${20 * MOST - 1}`])
      expect(isLocked(look(counts, key)?.count ?? 0), key).toBe(true);
    // There may be one more key for each bucket.
    expect(counts.size).toBeLessThanOrEqual(2 * MOST + 4096);
    pass(901);
    counts.lock('after', 900);
    expect(counts.size).toBe(1);
  });

  it('holds at most 50 000 keys by default', () => {
    const counts = new MemoryCounterStore();
    for (let key = 0; key < 60_000; key++) counts.add(`${key}`, 1, WINDOW);
    expect(counts.size).toBeLessThanOrEqual(50_000);
  });
});

describe('MemoryCounterStore as a copy of shared counts', () => {
  it('stores a shared count until it expires', () => {
    const counts = new MemoryCounterStore();
    counts.recordShared('key', 1, { count: 4, msLeft: 10_000 }, monotonicClock.now());
    expect(counts.add('key', 1, 300)).toMatchObject({ count: 5 });
    pass(11);
    expect(look(counts, 'key')).toBeUndefined();
  });

  it('never lowers a local count', () => {
    const counts = new MemoryCounterStore();
    counts.add('key', 4, WINDOW);
    counts.recordShared('key', 1, { count: 1, msLeft: 60_000 }, monotonicClock.now());
    expect(look(counts, 'key')?.count).toBe(4);
  });

  it('lowers the count when points are undone', () => {
    const counts = new MemoryCounterStore();
    counts.recordShared('key', 1, { count: 3, msLeft: 60_000 }, monotonicClock.now());
    counts.recordShared('key', -1, { count: 2, msLeft: 60_000 }, monotonicClock.now());
    expect(look(counts, 'key')?.count).toBe(2);
    counts.recordShared('other', -1, { count: -1, msLeft: 60_000 }, monotonicClock.now());
    expect(look(counts, 'other')).toBeUndefined();
  });

  it('reports a key as unshared if the shared store lost it or never had it', () => {
    const counts = new MemoryCounterStore();
    const now = monotonicClock.now();
    counts.recordShared('noted', 1, { count: 4, msLeft: 60_000 }, now);
    counts.lock('locked', 60, now);
    for (const key of ['noted', 'locked']) {
      expect(counts.findUnshared(key, now)).toBeUndefined();
      expect(counts.findUnshared(key, now + 1)).toBeDefined();
    }
    counts.add('noted', 1, WINDOW);
    counts.lock('locked', 60);
    expect(counts.findUnshared('noted', now)).toMatchObject({ count: 5 });
    expect(counts.findUnshared('locked', now)).toMatchObject({ count: LOCKED_COUNT });
  });
});
