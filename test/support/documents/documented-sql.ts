import { readDocument } from './source-code.js';

// A block of SQL, or a statement in the running text.
const SQL =
  /^ *```sql\n(?<block>.*?)^ *```$|`(?<inline>(?:SELECT|INSERT|UPDATE|DELETE|ALTER|CREATE|SHOW) [^`]+)`/gms;

/** Every SQL statement of a page, in order. */
export function documentedSql(page: string): string[] {
  return [...readDocument(page).matchAll(SQL)]
    .map(({ groups }) => groups!.block ?? groups!.inline!)
    .flatMap((text) => text.replaceAll(/--.*$/gm, '').split(';'))
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
