import type { SharedCounter } from './shared-counter.js';

export interface Limit {
  counter: SharedCounter;
  key: string;
  max: number;
  /** In seconds. */
  window: number;
}

/** Counts one under every limit, or under none and throws the refusal. Returns a function that undoes the count. */
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
