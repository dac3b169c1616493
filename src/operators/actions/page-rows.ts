import { type FindOptionsWhere, In, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { sqlTime } from '../../platform/database/sql.js';

interface Span {
  since?: Date;
  until?: Date;
  /** The page continues after the row with this id. */
  before?: number | string;
  limit: number;
}

/** Returns a page of rows by time and id, newest first. These tables have an index on each filter and `created_at`. */
export async function newestRows<
  T extends ObjectLiteral & { id: number | string; createdAt: Date },
>(query: SelectQueryBuilder<T>, { since, until, before, limit }: Span): Promise<T[]> {
  const { alias } = query;
  const time = `${alias}.created_at`;
  limitToSpan(query, { since, until });
  if (before !== undefined) {
    const { target } = query.expressionMap.mainAlias!.metadata;
    const [last] = await query.dataSource.manager.findBy<T>(target, { id: before } as never);
    const olderId = `${alias}.id < :before`;
    const older = last ? `${time} <= :at AND (${time} < :at OR ${olderId})` : olderId;
    query.andWhere(older, { at: last && sqlTime(last.createdAt), before });
  }
  query.orderBy(`${alias}.createdAt`, 'DESC').addOrderBy(`${alias}.id`, 'DESC');
  return pageRows(query.limit(limit));
}

export function limitToSpan<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  { since, until }: Pick<Span, 'since' | 'until'>,
): void {
  const time = `${query.alias}.created_at`;
  if (since) query.andWhere(`${time} >= :since`, { since: sqlTime(since) });
  if (until) query.andWhere(`${time} < :until`, { until: sqlTime(until) });
}

/**
 * Reads the ids of a page from the index, and then the rows. If a query selected whole rows, MariaDB would use the
 * index only for the filter and would scan from the newest row.
 */
export async function pageRows<T extends ObjectLiteral & { id: number | string }>(
  query: SelectQueryBuilder<T>,
): Promise<T[]> {
  const ids = (await query.clone().select(`${query.alias}.id`).getMany()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const { target } = query.expressionMap.mainAlias!.metadata;
  const where = { id: In(ids) } as FindOptionsWhere<T>;
  const rows = await query.dataSource.manager.findBy<T>(target, where);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
