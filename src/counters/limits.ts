import { Logger } from '@nestjs/common';
import type { Tally } from './tally.js';

export interface Limit {
  tally: Tally;
  key: string;
  most: number;
  /** In seconds. */
  window: number;
}

const logger = new Logger('Limits');

/** Counts one under every limit, or under none and throws the refusal. Gives what takes it back. */
export async function takeFromAll(
  limits: Limit[],
  refusal: (secondsLeft: number) => Error,
): Promise<() => Promise<void>> {
  const taken: Limit[] = [];
  const giveBack = async () => {
    try {
      await Promise.all(taken.map(({ tally, key, window }) => tally.takeBack(key, 1, window)));
    } catch (error) {
      // The caller has an error of its own to tell; a count too many ends with its window.
      logger.warn(`a count was not taken back: ${(error as Error).message}`);
    }
  };
  for (const limit of limits) {
    const { count, secondsLeft } = await limit.tally.add(limit.key, 1, limit.window);
    taken.push(limit);
    if (count <= limit.most) continue;
    await giveBack();
    throw refusal(secondsLeft);
  }
  return giveBack;
}
