import type { EntityManager, FindOneOptions } from 'typeorm';

/**
 * Find options that make MySQL read the rows as they are committed now, not as they were when the transaction
 * first looked. The embedded database lets in one transaction at a time, so that there the two are the same.
 */
export function latestRows(manager: EntityManager): Pick<FindOneOptions, 'lock'> {
  return manager.dataSource.options.type === 'mariadb'
    ? { lock: { mode: 'pessimistic_read' } }
    : {};
}
