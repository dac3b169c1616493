import { describe, expect, it } from 'vitest';
import { MemoryCounterStore } from './memory-counter-store.js';
import { SharedCounter } from './counters.js';

const WINDOW = 60;
const newTally = () => new SharedCounter(new MemoryCounterStore());

describe('SharedCounter.undoAdd', () => {
  it('keeps what other callers have counted meanwhile', async () => {
    const tally = newTally();
    await tally.add('key', 1, WINDOW);
    await Promise.all([tally.undoAdd('key', 1, WINDOW), tally.add('key', 1, WINDOW)]);
    expect((await tally.add('key', 0, WINDOW)).count).toBe(1);
  });

  it('leaves no negative count after the window has ended', async () => {
    const tally = newTally();
    await tally.undoAdd('key', 1, WINDOW);
    expect((await tally.add('key', 1, WINDOW)).count).toBe(1);
  });
});
