/** The maximum number of SELECTs in a statement. With all requests in one, the process would be idle while it runs. */
export const MAX_UNION_SELECTS = 8;

/** One statement for all; each part is what follows the word SELECT. A row's `place` says which part it belongs to. */
export function unionAll(selects: string[]): string {
  return selects.map((select, place) => `SELECT ${place} AS place, ${select}`).join(' UNION ALL ');
}

/** The rows of each part. MySQL types integer literals as BIGINT, which the driver returns as text. */
export function groupRowsBySelect<Row extends { place?: unknown }>(
  rows: Row[],
  places: number,
): Row[][] {
  const sorted: Row[][] = Array.from({ length: places }, () => []);
  for (const row of rows) sorted[Number(row.place)]!.push(row);
  return sorted;
}
