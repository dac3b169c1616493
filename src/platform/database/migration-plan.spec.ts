import { describe, expect, it } from 'vitest';
import { classify, refuseToStopTheWorld, type SchemaPlan } from './migration-plan.js';
import { MIGRATIONS } from './migrations/list.js';

const onMysql = MIGRATIONS.map((Migration) => new Migration()).map(({ name, statements }) => ({
  name,
  statements: statements(false),
}));

/** These tables are small enough to be rewritten, because they have one row per game server or operator. */
const SMALL_TABLES = /^\s*ALTER TABLE (server|operator)\b/;

describe('The migrations of this repository', () => {
  it('let the previous release keep working, unless their names begin with Contract', () => {
    const contracts = onMysql.filter(({ statements }) =>
      statements.some((statement) => classify(statement).danger),
    );
    expect(contracts.map(({ name }) => name)).toEqual(
      onMysql.map(({ name }) => name).filter((name) => name.startsWith('Contract')),
    );
  });

  it('neither lock nor copy a table that grows with the players', () => {
    const locking = onMysql
      .flatMap(({ statements }) => statements)
      .filter((statement) => ['rows', 'blocks'].includes(classify(statement).effect))
      .map(({ sql }) => sql)
      .filter((sql) => !SMALL_TABLES.test(sql));
    expect(locking).toEqual([]);
  });
});

describe('classify()', () => {
  const online = 'ALGORITHM=INPLACE, LOCK=NONE';
  it.each([
    ['CREATE TABLE IF NOT EXISTS note (id INT NOT NULL)', 'creates'],
    ['ALTER TABLE player ADD COLUMN a INT NULL, ALGORITHM=INSTANT', 'instant'],
    [
      "ALTER TABLE player ADD COLUMN a INT NOT NULL DEFAULT 0 COMMENT 'x', ALGORITHM=INSTANT",
      'instant',
    ],
    [
      "ALTER TABLE player ADD COLUMN a INT NULL COMMENT 'a CHECK, DROP COLUMN', ALGORITHM=INSTANT",
      'instant',
    ],
    [
      `ALTER TABLE player ADD COLUMN a ENUM('a','b') NULL, ADD COLUMN b INT NULL, ${online}`,
      'online',
    ],
    [`ALTER TABLE player ADD KEY a (a, b), ${online}`, 'index'],
    ['CREATE INDEX a ON player (a, b) ALGORITHM=INPLACE LOCK=NONE', 'index'],
    ['ALTER TABLE player ADD COLUMN a INT NULL', 'blocks'],
    ['ALTER TABLE player ADD COLUMN a INT NULL, ALGORITHM=COPY', 'blocks'],
  ])('reports no danger for the previous release after %s', (sql, effect) => {
    expect(classify({ sql })).toEqual({ effect, danger: '' });
  });

  it.each([
    ['ALTER TABLE player DROP COLUMN email, ALGORITHM=INSTANT', 'instant', /use/],
    [
      'ALTER TABLE player ADD COLUMN a INT NULL, DROP COLUMN b, ALGORITHM=INSTANT',
      'instant',
      /use/,
    ],
    ['ALTER TABLE player RENAME COLUMN a TO b, ALGORITHM=INSTANT', 'instant', /use/],
    ['ALTER TABLE player CHANGE a b INT NULL', 'blocks', /use/],
    [`ALTER TABLE player DROP KEY a, ${online}`, 'online', /use/],
    ['DROP TABLE player', 'blocks', /use/],
    ['RENAME TABLE player TO players', 'blocks', /use/],
    ['TRUNCATE player', 'blocks', /use/],
    ['ALTER TABLE player ADD COLUMN a INT NOT NULL, ALGORITHM=INSTANT', 'instant', /without this/],
    [
      "ALTER TABLE player ADD COLUMN a INT NOT NULL COMMENT 'has no DEFAULT'",
      'blocks',
      /without this/,
    ],
    ['ALTER TABLE player ADD COLUMN a INT NULL UNIQUE', 'blocks', /forbids/],
    [`ALTER TABLE player ADD UNIQUE KEY a (a), ${online}`, 'online', /forbids/],
    ['CREATE UNIQUE INDEX a ON player (a) ALGORITHM=INPLACE LOCK=NONE', 'online', /forbids/],
    ["ALTER TABLE player ADD CONSTRAINT a CHECK (a <> ''), ALGORITHM=COPY", 'blocks', /forbids/],
    [`ALTER TABLE player MODIFY a VARCHAR(9) NULL, ${online}`, 'online', /definition/],
    ['UPDATE player SET a = 1', 'rows', /rows/],
    ['DELETE FROM player', 'rows', /rows/],
    ['ALTER TABLE player ENGINE = MyISAM', 'blocks', /does not know/],
    ['OPTIMIZE TABLE player', 'blocks', /does not know/],
  ])('reports a danger for the previous release after %s', (sql, effect, danger) => {
    expect(classify({ sql })).toEqual({ effect, danger: expect.stringMatching(danger) });
    expect(classify({ sql, survives: 'a reason' })).toEqual({ effect, danger: '' });
  });

  it('recognises a statement that changes rows in batches', () => {
    const sql = 'UPDATE player SET a = 1 WHERE id BETWEEN ? AND ?';
    expect(classify({ sql, along: 'player.id' }).effect).toBe('batches');
  });
});

describe('refuseToStopTheWorld()', () => {
  const plan: SchemaPlan = {
    migrations: [
      { name: 'First1', statements: [{ sql: 'A', effect: '' }] },
      { name: 'Second2', statements: [{ sql: 'B', effect: '', danger: 'of C' }] },
    ],
    newer: [],
    isEmbedded: false,
    isEmpty: false,
  };

  it('says which migration cannot run, why, and what to do', () => {
    expect(() => refuseToStopTheWorld(plan)).toThrow(
      /^Second2 cannot run while instances are running, because of C: B\. Nothing was changed\. .*--stop-the-world/,
    );
  });

  it.each(['isEmpty', 'isEmbedded'])('refuses nothing if %s', (what) => {
    expect(() => refuseToStopTheWorld({ ...plan, [what]: true })).not.toThrow();
  });
});
