import { describe, expect, it } from 'vitest';
import { escape } from 'mysql2';
import { toSqliteStatement } from './mysql-to-sqlite.js';

describe('toSqliteText', () => {
  it.each([
    "O'Neil",
    'back\\slash',
    "'; DROP TABLE actors; --",
    "\\'",
    'line\nbreak',
    '勇士🐉',
    "''",
    '',
  ])('keeps %j the one string that it was', (value) => {
    const inSqlite = toSqliteStatement(escape(value)).slice(1, -1);
    expect(inSqlite.replaceAll("''", "'")).toBe(value);
    expect(inSqlite.replaceAll("''", '')).not.toContain("'");
  });

  it('leaves everything outside of strings alone', () => {
    expect(toSqliteStatement("SELECT `a` FROM `b` WHERE `c` = 'd\\'e' AND f = 7")).toBe(
      "SELECT `a` FROM `b` WHERE `c` = 'd''e' AND f = 7",
    );
  });
});
