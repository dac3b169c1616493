import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isConflict } from './database-errors.js';
import { RETRY_MS } from './time-limits.js';

const LONGEST_PAUSE_MS = 100;

/**
 * Runs the work in one transaction, again where another transaction was first: then it has been rolled back whole.
 * The work must touch nothing but the database. Lone statements need none of this: see `MysqlRetryingQueryRunner`.
 */
export function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return retryConflicts(() => dataSource.transaction(work));
}

/** Until it succeeds, fails for another reason, or 2 s have passed: how many tries that takes depends on how many meet. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + RETRY_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline || !isConflict(error)) throw error;
      // Of random length, so that the ones that met do not meet again.
      await pause(Math.random() * Math.min(attempt * 20, LONGEST_PAUSE_MS));
    }
  }
}
