import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { toSqlite } from './sqlite-table.js';

const GUEST = `
  CREATE TABLE IF NOT EXISTS guest (
    id INT NOT NULL AUTO_INCREMENT COMMENT 'it''s the guest, in order',
    name VARCHAR(8) NOT NULL,
    token VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'compared exactly',
    kind ENUM('a','b') NOT NULL DEFAULT 'a',
    seen_at DATETIME(3) NULL,
    age INT UNSIGNED NULL,
    is_adult INT AS (CASE WHEN age >= 18 THEN 1 END) STORED,
    PRIMARY KEY (id),
    UNIQUE KEY guest_name (name),
    KEY guest_seen (seen_at, id),
    CONSTRAINT guest_age CHECK (age < 150)
  ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci COMMENT = 'Gatehouse: (a test)'`;

function guestTable() {
  const database = new Database(':memory:');
  for (const sql of toSqlite(GUEST)) database.exec(sql);
  const insert = (row: Record<string, unknown>) => {
    const names = Object.keys(row);
    const sql = `INSERT INTO guest (${names.join()}) VALUES (${names.map(() => '?').join()})`;
    database.prepare(sql).run(...Object.values(row));
  };
  return { database, insert };
}

describe('toSqlite', () => {
  it('keeps defaults, generated columns and keys', () => {
    const { database, insert } = guestTable();
    insert({ name: 'anna', age: 20, seen_at: '2026-11-15 12:00:00.000' });
    expect(database.prepare('SELECT id, kind, is_adult FROM guest').get()).toMatchObject({
      id: 1,
      kind: 'a',
      is_adult: 1,
    });
    expect(toSqlite(GUEST).slice(1)).toEqual([
      'CREATE UNIQUE INDEX "guest_name" ON "guest" ("name")',
      'CREATE INDEX "guest_seen" ON "guest" ("seen_at", "id")',
    ]);
  });

  it.each([
    ['overlong text', { name: 'x'.repeat(9) }],
    ['an invalid time', { name: 'x', seen_at: 'never' }],
    ['a value outside the ENUM', { name: 'x', kind: 'c' }],
    ['a value that violates a CHECK', { name: 'x', age: 150 }],
  ])('rejects %s, as MySQL does', (_, row) => {
    expect(() => guestTable().insert(row)).toThrow('CHECK constraint failed');
  });

  it('compares text case-insensitively unless the column has its own collation', () => {
    const { database, insert } = guestTable();
    insert({ name: 'Anna', token: 'T' });
    expect(() => insert({ name: 'aNNA' })).toThrow('UNIQUE constraint failed');
    const count = (condition: string) =>
      database.prepare(`SELECT COUNT(*) AS n FROM guest WHERE ${condition}`).get();
    expect(count("name = 'ANNA'")).toMatchObject({ n: 1 });
    expect(count("token = 't'")).toMatchObject({ n: 0 });
  });

  it('throws on an unknown type', () => {
    expect(() => toSqlite(GUEST.replace('INT UNSIGNED', 'GEOMETRY'))).toThrow('age GEOMETRY');
  });
});
