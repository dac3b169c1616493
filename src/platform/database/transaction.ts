import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isConflict } from './database-errors.js';
import { CONFLICT_RETRY_MS } from './time-limits.js';

const LONGEST_PAUSE_MS = 100;

/** Contains the tasks to run after the commit of each open transaction, by its manager. */
const afterCommits = new WeakMap<EntityManager, Array<() => void>>();

/**
 * Runs the work in one transaction and retries it after a conflict, which has rolled it back. The work must change
 * nothing but the database. Use `afterCommit` for other effects. `MysqlSession` retries single statements.
 */
export function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return retryConflicts(async () => {
    const tasks: Array<() => void> = [];
    const result = await dataSource.transaction((manager) => {
      afterCommits.set(manager, tasks);
      return work(manager);
    });
    for (const task of tasks) task();
    return result;
  });
}

/** Runs the task after this manager's transaction has committed, or immediately if there is no transaction. */
export function afterCommit(manager: EntityManager, task: () => void): void {
  const tasks = afterCommits.get(manager);
  if (tasks) tasks.push(task);
  else task();
}

/** Retries conflicts until a deadline, because the number of attempts depends on the number of competitors. */
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
      // The pause is random, so that competing transactions do not collide again.
      await pause(Math.random() * Math.min(attempt * 20, LONGEST_PAUSE_MS));
    }
  }
}
