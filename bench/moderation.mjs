// Times the moderators' queries of docs/operations.md and names their indexes. Run directly, it uses a million records.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openDatabase } from './databases.mjs';
import { median } from './figures.mjs';
import { fillChat } from './fill.mjs';
import { startMariaDb } from './stage.mjs';

const ROWS = 1_000_000;
const BAR_MS = 50;
const RUNS = 5;

const docs = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
const section = docs.slice(docs.indexOf('### What was said'));
const queries = [...section.slice(0, section.indexOf('\n## ')).matchAll(/```sql\n(.*?);\n```/gs)];

export async function timeModeratorQueries({ query }) {
  const outcomes = [];
  for (const [, sql] of queries) {
    const [{ key: index }] = await query(`EXPLAIN ${sql}`);
    const times = [];
    let rows;
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now();
      ({ length: rows } = await query(sql));
      times.push(performance.now() - started);
    }
    const [where] = sql.match(/WHERE.*/);
    outcomes.push({ where, rows, index, ms: median(times) });
  }
  return outcomes;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const mariadb = await startMariaDb();
  const database = await openDatabase(mariadb);
  await fillChat(database, ROWS);
  const outcomes = await timeModeratorQueries(database);
  for (const { where, rows, index, ms } of outcomes)
    console.log(`${ms.toFixed(1).padStart(6)} ms, ${rows} rows by ${index}: ${where}`);
  const slowest = Math.max(...outcomes.map(({ ms }) => ms));
  console.log(`slowest query: ${slowest.toFixed(1)} ms; bar: ${BAR_MS} ms`);
  await database.close();
  await mariadb.stop();
  process.exit(slowest < BAR_MS ? 0 : 1);
}
