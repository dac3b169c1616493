import { beforeEach, describe, expect, it } from 'vitest';
import type { RequestPriority } from './route-priorities.js';
import { ConcurrencyLimit, MAX_CONCURRENT_REQUESTS } from './load-shedding.js';

const CALM = { late: 0, quickest: 20 };
const LATE = { late: 60, quickest: 20 };
const SLOW = { late: 0, quickest: 500 };
let concurrency: ConcurrencyLimit;
let now: number;

beforeEach(() => {
  concurrency = new ConcurrencyLimit();
  now = 0;
});

/** Records windows in which every sample has the same event loop lag and the same quickest response. */
function pass(windows: number, { late, quickest }: typeof CALM, inProgress: number): void {
  for (let sample = 0; sample < windows * 2; sample++) {
    concurrency.answered(quickest);
    concurrency.observe(late, inProgress, (now += 60));
  }
}

const admitted = (inProgress: number) =>
  (['begun', 'game', 'login', 'other'] as RequestPriority[]).filter((priority) =>
    concurrency.admits(priority, inProgress),
  );

describe('The concurrency limit', () => {
  it.each([LATE, SLOW])('drops to 64 under the overload %o', (trouble) => {
    pass(1, trouble, 300);
    expect(concurrency.limit).toBe(150);
    pass(1, trouble, 150);
    pass(9, trouble, 75);
    expect(concurrency.limit).toBe(64);
  });

  it('rejects requests of the lowest priority first: other, login, game, then begun', () => {
    pass(1, { late: 60, quickest: 20 }, 200);
    expect(concurrency.limit).toBe(MAX_CONCURRENT_REQUESTS);
    pass(1, LATE, 256);
    expect(concurrency.limit).toBe(128);
    expect(admitted(89)).toEqual(['begun', 'game', 'login', 'other']);
    expect(admitted(90)).toEqual(['begun', 'game', 'login']);
    expect(admitted(109)).toEqual(['begun', 'game']);
    expect(admitted(128)).toEqual(['begun']);
    expect(admitted(192)).toEqual([]);
  });

  it('does not drop while few requests are in progress or after a single long pause', () => {
    pass(20, LATE, 255);
    expect(concurrency.limit).toBe(MAX_CONCURRENT_REQUESTS);
    concurrency.observe(900, 1000, (now += 920));
    concurrency.observe(0, 1000, (now += 20));
    expect(concurrency.limit).toBe(MAX_CONCURRENT_REQUESTS);
  });

  it('does not change while no request finishes and event loop lag is low', () => {
    for (let sample = 0; sample < 20; sample++) concurrency.observe(0, 1000, (now += 60));
    expect(concurrency.limit).toBe(MAX_CONCURRENT_REQUESTS);
  });

  it('rises slowly while requests are rejected, and recovers within a second once none are rejected', () => {
    pass(5, LATE, 300);
    const { limit } = concurrency;
    concurrency.admits('game', 5000);
    pass(1, CALM, 50);
    expect(concurrency.limit).toBeCloseTo(limit * 1.1);
    pass(8, CALM, 50);
    expect(concurrency.limit).toBe(MAX_CONCURRENT_REQUESTS);
  });
});
