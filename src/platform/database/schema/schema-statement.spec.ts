import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../migrations/list.js';
import { plannedStatements } from './planned-statements.js';
import { readSchemaStatement } from './schema-statement.js';

const CHANGES_THE_SCHEMA = /^\s*(CREATE|ALTER|DROP|RENAME|TRUNCATE)\b/i;
const migrations = MIGRATIONS.map((each) => new each());

describe('readSchemaStatement', () => {
  it.each(migrations.map((migration) => [migration.name, migration]))(
    'understands all statements of %s, so that an interrupted run can resume',
    async (_, migration) => {
      const changes = await plannedStatements(migration, 'mariadb');
      const unread = changes.filter(
        (sql) => CHANGES_THE_SCHEMA.test(sql) && !readSchemaStatement(sql),
      );
      expect(unread).toEqual([]);
    },
  );

  it('reads the columns and the comment of a table', () => {
    const sql = `CREATE TABLE \`t\` (
      id INT NOT NULL AUTO_INCREMENT COMMENT 'a, b (c)',
      status ENUM('one', 'two') NOT NULL,
      is_open INT AS (CASE WHEN status IN ('one', 'two') THEN 1 END) STORED,
      PRIMARY KEY (id), UNIQUE KEY t_status (status, is_open), CONSTRAINT t_id CHECK (id > 0)
    ) ENGINE = InnoDB COMMENT = 'it''s (ours)'`;
    expect(readSchemaStatement(sql)).toMatchObject({
      table: 't',
      columns: ['id', 'status', 'is_open'],
      comment: "it's (ours)",
      adds: [{ kind: 'table', name: 't' }],
    });
  });

  it.each([
    [
      "ADD COLUMN a INT NULL COMMENT 'x, y', ADD COLUMN b INT",
      [
        ['column', 'a'],
        ['column', 'b'],
      ],
      [],
    ],
    ['ADD UNIQUE KEY k (a, b), ALGORITHM=INPLACE', [['key', 'k']], []],
    ['DROP FOREIGN KEY f', [], [['constraint', 'f']]],
    ['ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES u (id)', [['constraint', 'f']], []],
    ['MODIFY a VARCHAR(9) NULL, DROP COLUMN b', [], [['column', 'b']]],
  ])('reads what %s adds and drops', (change, adds, drops) => {
    const parts = (list: string[][]) => list.map(([kind, name]) => ({ kind, name }));
    expect(readSchemaStatement(`ALTER TABLE t ${change}`)).toMatchObject({
      table: 't',
      adds: parts(adds),
      drops: parts(drops),
    });
  });

  it.each([
    'ALTER TABLE t RENAME COLUMN a TO b',
    'CREATE TABLE IF NOT EXISTS t (id INT)',
    'DROP TABLE t',
    "UPDATE t SET a = 'ALTER TABLE t ADD COLUMN b'",
  ])('ignores %s', (sql) => {
    expect(readSchemaStatement(sql)).toBeUndefined();
  });
});
