import { readDocument } from './source-code.js';

// Matches a block of SQL, or a statement in running text.
const SQL =
  /^ *```sql\n(?<block>.*?)^ *```$|`(?<inline>(?:SELECT|INSERT|UPDATE|DELETE|ALTER|CREATE|SHOW) [^`]+)`/gms;

/** Returns a page's SQL statements in order. */
export function documentedSql(page: string): string[] {
  return [...readDocument(page).matchAll(SQL)]
    .map(({ groups }) => groups!.block ?? groups!.inline!)
    .flatMap((text) => text.replaceAll(/--.*$/gm, '').split(';'))
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
