import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { pageRows } from '../../platform/database/page-rows.js';
import { sqlTime } from '../../platform/database/sql-time.js';

interface Span {
  since?: Date;
  until?: Date;
  /** The id of the last one of the previous page. */
  before?: number | string;
  limit: number;
}

/** Newest first. Paged by time and id: every filter of these tables has an index that ends with the time. */
export async function newestRows<
  T extends ObjectLiteral & { id: number | string; createdAt: Date },
>(query: SelectQueryBuilder<T>, { since, until, before, limit }: Span): Promise<T[]> {
  const { alias } = query;
  const time = `${alias}.created_at`;
  if (since) query.andWhere(`${time} >= :since`, { since: sqlTime(since) });
  if (until) query.andWhere(`${time} < :until`, { until: sqlTime(until) });
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
