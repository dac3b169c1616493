import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isConflict } from './database-errors.js';
import { CONFLICT_RETRY_MS } from './time-limits.js';

const LONGEST_PAUSE_MS = 100;

/**
 * Runs the work in one transaction and retries it after a conflict, which has rolled it back. The work must not touch
 * anything but the database. Lone statements are retried by `MysqlSession`.
 */
export function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return retryConflicts(() => dataSource.transaction(work));
}

/** Retries conflicts, for 2 s by default. A deadline, because the number of attempts depends on how many compete. */
export async function retryConflicts<T>(
  work: () => Promise<T>,
  isRetried: (error: unknown) => boolean = isConflict,
  retryMs = CONFLICT_RETRY_MS,
): Promise<T> {
  const deadline = performance.now() + retryMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline || !isRetried(error)) throw error;
      // A random pause, so that the competitors do not collide again.
      await pause(Math.random() * Math.min(attempt * 20, LONGEST_PAUSE_MS));
    }
  }
}
