import { sqlTime } from '../../platform/database/sql-time.js';

type Value = string | number | Date | null | undefined;

/** No quotes, backslashes or control characters, and nothing beyond the Basic Multilingual Plane. */
const PLAIN = /^[\w@.:+ \-\u00a1-\ud7ff\ue000-\ufffc]*$/;

/** A value in a statement of thousands. Anything that a quote or backslash could break is written in hexadecimal. */
export function sqlLiteral(value: Value, embedded: boolean): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return `'${sqlTime(value)}'`;
  if (PLAIN.test(value)) return `'${value}'`;
  const hex = `x'${Buffer.from(value).toString('hex')}'`;
  return embedded ? `CAST(${hex} AS TEXT)` : `_utf8mb4 ${hex}`;
}
