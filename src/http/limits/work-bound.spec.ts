import { beforeEach, describe, expect, it } from 'vitest';
import type { RequestClass } from './request-class.js';
import { MOST, WorkBound } from './work-bound.js';

const CALM = { late: 0, quickest: 20 };
const LATE = { late: 60, quickest: 20 };
const SLOW = { late: 0, quickest: 500 };
let bound: WorkBound;
let now: number;

beforeEach(() => {
  bound = new WorkBound();
  now = 0;
});

/** Windows in which the event loop was so late at every look, and the quickest answer took so long. */
function pass(windows: number, { late, quickest }: typeof CALM, underWay: number): void {
  for (let look = 0; look < windows * 2; look++) {
    bound.answered(quickest);
    bound.observe(late, underWay, (now += 60));
  }
}

const admitted = (underWay: number) =>
  (['begun', 'game', 'login', 'other'] as RequestClass[]).filter((of) =>
    bound.admits(of, underWay),
  );

describe('the bound on work in progress', () => {
  it.each([LATE, SLOW])('falls to 64 while the service is overloaded: %o', (trouble) => {
    pass(1, trouble, 300);
    expect(bound.limit).toBe(150);
    pass(1, trouble, 150);
    pass(9, trouble, 75);
    expect(bound.limit).toBe(64);
  });

  it('turns registration and lists away first, then logins, then the game, and last what was begun', () => {
    pass(1, { late: 60, quickest: 20 }, 200);
    expect(bound.limit).toBe(MOST);
    pass(1, LATE, 256);
    expect(bound.limit).toBe(128);
    expect(admitted(89)).toEqual(['begun', 'game', 'login', 'other']);
    expect(admitted(90)).toEqual(['begun', 'game', 'login']);
    expect(admitted(109)).toEqual(['begun', 'game']);
    expect(admitted(128)).toEqual(['begun']);
    expect(admitted(192)).toEqual([]);
  });

  it('holds where there is little under way, and after one long stop', () => {
    pass(20, LATE, 255);
    expect(bound.limit).toBe(MOST);
    bound.observe(900, 1000, (now += 920));
    bound.observe(0, 1000, (now += 20));
    expect(bound.limit).toBe(MOST);
  });

  it('goes on as it is while nobody is answered, and the event loop is not late', () => {
    for (let look = 0; look < 20; look++) bound.observe(0, 1000, (now += 60));
    expect(bound.limit).toBe(MOST);
  });

  it('rises slowly while requests are turned away, and is back within a second when none are', () => {
    pass(5, LATE, 300);
    const { limit } = bound;
    bound.admits('game', 5000);
    pass(1, CALM, 50);
    expect(bound.limit).toBeCloseTo(limit * 1.1);
    pass(8, CALM, 50);
    expect(bound.limit).toBe(MOST);
  });
});
