import { join } from 'node:path';
import Libsql from 'libsql';
import { until } from '../until.js';

export type Row = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- tests read any column

/** Opens the embedded database of a service that runs in another process. */
export class EmbeddedDatabase {
  private readonly database: Libsql.Database;

  constructor(folder: string) {
    this.database = new Libsql(join(folder, 'gatehouse.sqlite'));
  }

  async query(statement: string, values: unknown[] = []): Promise<Row[]> {
    // libsql cannot commit after a prepared statement met a lock, so the lock is acquired first.
    await until(() => this.tryToLock());
    try {
      const prepared = this.database.prepare(statement);
      const parameters = values.map(toSqlite);
      if (prepared.reader) return prepared.all(...parameters) as Row[];
      prepared.run(...parameters);
      return [];
    } finally {
      this.database.exec('COMMIT');
    }
  }

  /** Returns the last row's id. */
  async insert(table: string, ...rows: Row[]): Promise<number> {
    const columns = Object.keys(rows[0]!);
    const marks = `(${columns.map(() => '?').join(', ')})`;
    await this.query(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => marks).join(', ')}`,
      rows.flatMap((row) => columns.map((column) => row[column] as unknown)),
    );
    const [last] = await this.query('SELECT last_insert_rowid() AS id');
    return Number(last!.id);
  }

  close(): void {
    this.database.close();
  }

  private tryToLock(): boolean {
    try {
      this.database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
      return false;
    }
  }
}

function toSqlite(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
  return typeof value === 'boolean' ? Number(value) : value;
}
