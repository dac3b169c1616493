import { describe, expect, it } from 'vitest';
import { escape } from 'mysql2';
import { toSqliteStatement } from './game-database-server.js';

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
  ])('keeps %j as a single string literal', (value) => {
    const inSqlite = toSqliteStatement(escape(value)).slice(1, -1);
    expect(inSqlite.replaceAll("''", "'")).toBe(value);
    expect(inSqlite.replaceAll("''", '')).not.toContain("'");
  });

  it('changes nothing outside string literals', () => {
    expect(toSqliteStatement("SELECT `a` FROM `b` WHERE `c` = 'd\\'e' AND f = 7")).toBe(
      "SELECT `a` FROM `b` WHERE `c` = 'd''e' AND f = 7",
    );
  });
});
