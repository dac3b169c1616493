import type { FindOptionsWhere, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { In } from 'typeorm';

/**
 * The rows of a page in the query's order, by their ids, which the key provides. For whole rows, MariaDB takes the
 * filter from the key but not the position, and scans from the newest row.
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
