import { count, percent, times } from './report.mjs';

export function growthTable(growth) {
  const heads = ['path', 'table', 'rows', 'service, per second', 'vs floor'];
  heads.push('largest vs smallest', 'spread');
  const rows = growth.flatMap(({ name, table, points, kept, keptSpread }) =>
    points.map(({ rows: size, service, ratio }, index) => [
      name,
      table,
      String(size),
      count(service.rate),
      times(ratio),
      ...(index === points.length - 1 ? [times(kept), percent(keptSpread)] : ['', '']),
    ]),
  );
  return { title: 'paths by table size', heads, rows };
}
