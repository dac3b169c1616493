import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isDeadlock } from './database-errors.js';

const ATTEMPTS = 5;

/**
 * Runs the work in one transaction, again when the database picked it as the victim of a deadlock: then it has
 * been rolled back whole. The work must touch nothing but the database.
 */
export function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return retryDeadlocks(() => dataSource.transaction(work));
}

/** The same for a lone statement, which is a transaction of its own. */
export async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error;
      // Of random length, so that the ones that met do not meet again.
      await pause(Math.random() * attempt * 20);
    }
  }
}
