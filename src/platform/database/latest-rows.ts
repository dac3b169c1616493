import type { EntityManager, FindOneOptions } from 'typeorm';

/**
 * Find options that make MySQL read the rows as committed now instead of from the transaction's snapshot. The embedded
 * database runs one transaction at a time, so it has no such difference.
 */
export function latestRows(manager: EntityManager): Pick<FindOneOptions, 'lock'> {
  return manager.dataSource.options.type === 'mariadb'
    ? { lock: { mode: 'pessimistic_read' } }
    : {};
}
