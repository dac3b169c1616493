// The growth of the paths, and the times of the moderators' queries, as tables.
import { count, percent, times } from './report.mjs';

export function growthTable(growth) {
  const heads = ['path', 'rows of', 'rows', 'service, a second', 'against the floor'];
  heads.push('largest against smallest', 'spread');
  const rows = growth.flatMap(({ name, table, points, kept, keptSpread }) =>
    points.map(({ rows: size, service, ratio }, place) => [
      name,
      table,
      String(size),
      count(service.rate),
      times(ratio),
      ...(place === points.length - 1 ? [times(kept), percent(keptSpread)] : ['', '']),
    ]),
  );
  return { title: 'the paths by the size of their tables', heads, rows };
}

export function moderationTable(moderation) {
  const heads = ["moderators' query", ...moderation.map(({ chat }) => `${chat} rows, ms`), 'by'];
  const rows = moderation[0].queries.map(({ where }, place) => [
    where,
    ...moderation.map(({ queries }) => queries[place].ms.toFixed(1)),
    moderation.at(-1).queries[place].index ?? '–',
  ]);
  return { title: "the moderators' queries by the size of the chat table", heads, rows };
}
