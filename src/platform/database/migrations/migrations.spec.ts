import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { plannedStatements } from './dialect.js';
import { MIGRATIONS } from './list.js';

function statementsOn(type: 'mariadb' | 'better-sqlite3'): string[] {
  return MIGRATIONS.flatMap((Migration) => plannedStatements(new Migration(), type));
}

const namesIn = (statements: string[], pattern: RegExp) =>
  statements
    .flatMap((sql) => [...sql.matchAll(pattern)])
    .map(([, name, columns]) => `${name} (${columns!.replaceAll('"', '')})`)
    .toSorted();

describe('The migrations', () => {
  it('create the same unique keys on MariaDB and on the embedded database', () => {
    const onMariaDb = namesIn(statementsOn('mariadb'), /UNIQUE KEY (\w+) \(([^)]+)\)/g);
    const embedded = namesIn(
      statementsOn('better-sqlite3'),
      /CREATE UNIQUE INDEX "(\w+)" ON "\w+" \(([^)]+)\)/g,
    );
    expect(embedded).toEqual(onMariaDb);
    expect(embedded).toEqual(
      expect.arrayContaining([
        'player_account (account)',
        'player_connect_identity (provider, connect_id)',
        'player_email (email)',
        'withdraw_key (player_id, idempotency_key)',
        'withdraw_open (role_server_id, role_id, is_open)',
        'withdraw_order (order_no)',
      ]),
    );
  });

  it('can be rerun on MariaDB and MySQL, and state how they change a table in use', () => {
    const CREATES = /^\s*CREATE TABLE IF NOT EXISTS \w+ \([^]*\bCOMMENT = 'Gatehouse: [^]*'$/;
    const ALTERS =
      /^\s*(ALTER TABLE|CREATE (UNIQUE )?INDEX)[^]*ALGORITHM=(INSTANT|INPLACE,? LOCK=NONE|COPY)$/;
    const CHANGES_ROWS = /^\s*(INSERT|UPDATE|DELETE)\b/;
    const statements = statementsOn('mariadb');
    const others = statements.filter(
      (sql) => ![CREATES, ALTERS, CHANGES_ROWS].some((form) => form.test(sql)),
    );
    expect(others).toEqual([]);
  });

  it.each([
    ['an amount of zero', { amount: 0 }],
    ['a new withdrawal that has an order number', { order_no: 'W1' }],
    ['a sent withdrawal without an order number', { status: 'sending' }],
  ])('reject %s', (_, change) => {
    const database = new Database(':memory:');
    for (const sql of statementsOn('better-sqlite3')) database.exec(sql);
    const insert = (values: object) => {
      const row = {
        player_id: 1,
        server_id: 1,
        role_server_id: 1,
        role_id: 1,
        role_name: 'x',
        amount: 1,
        status: 'created',
        order_no: null,
        created_at: '2026-01-01 00:00:00.000',
        ...values,
      };
      const names = Object.keys(row);
      database
        .prepare(`INSERT INTO withdraw (${names.join()}) VALUES (${names.map(() => '?').join()})`)
        .run(...Object.values(row));
    };
    expect(() => insert(change)).toThrow(/CHECK constraint failed/);
    expect(() => insert({})).not.toThrow();
    database.close();
  });
});
