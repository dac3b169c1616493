import { createPool, escapeId, type Pool, type RowDataPacket } from 'mysql2/promise';
import { CommandFailed } from '../../cli/command.js';
import { parseDatabaseUrl } from '../../../platform/config/database-url.js';
import { offsetMinutes } from './old-values.js';

const CONNECTIONS = 4;

export interface OldColumn {
  type: string;
  charset: string | null;
  /** Selects the value as text in its own character set. */
  bytes: string;
}

/** Reads the old service's database and never changes it. */
export class OldDatabase {
  private readonly pool: Pool;
  readonly name: string;

  constructor(url: string) {
    const { hosts, ...account } = parseDatabaseUrl(url);
    if (account.database === '') throw new CommandFailed('--from must name a database');
    this.name = account.database;
    this.pool = createPool({
      ...hosts[0],
      ...account,
      charset: 'utf8mb4',
      timezone: 'Z',
      rowsAsArray: true,
      connectionLimit: CONNECTIONS,
      connectTimeout: 10_000,
      supportBigNumbers: true,
      bigNumberStrings: true,
    });
    this.pool.pool.on('connection', (connection) => {
      connection.query("SET SESSION time_zone = '+00:00'", () => undefined);
      connection.query('SET SESSION TRANSACTION READ ONLY', () => undefined);
      connection.query('SET SESSION max_statement_time = 0', () => undefined);
    });
  }

  async rows<Row extends unknown[]>(sql: string): Promise<Row[]> {
    try {
      const [rows] = await this.pool.query<RowDataPacket[]>(sql);
      return rows as unknown as Row[];
    } catch (error) {
      throw toCommandFailed(error);
    }
  }

  async *stream(sql: string): AsyncGenerator<unknown[]> {
    const stream = this.pool.pool.query(sql).stream({ highWaterMark: 1000 });
    try {
      for await (const row of stream) yield row as unknown[];
    } catch (error) {
      throw toCommandFailed(error);
    }
  }

  /** Returns columns by lower-case name. The map is empty if the table does not exist or cannot be read. */
  async columnsOf(table: string): Promise<Map<string, OldColumn>> {
    const rows = await this.rows<[string, string, string | null, string]>(
      `SELECT column_name, data_type, character_set_name, column_type FROM information_schema.columns
        WHERE table_schema = DATABASE() AND table_name = ${utf8Literal(table)}`,
    );
    return new Map(
      rows.map(([name, type, charset, fullType]) => {
        // Adding 0 returns a plain number, because BIT columns contain bytes and ZEROFILL adds leading zeros.
        const number = /^bit|zerofill/i.test(fullType) ? ' + 0' : '';
        const bytes = `CAST(${escapeId(name)}${number} AS BINARY)`;
        return [name.toLowerCase(), { type, charset, bytes }];
      }),
    );
  }

  /** Selects each column as bytes, and NULL if the map names no column. */
  async bytesOf(table: string, names: Array<string | null>): Promise<string[]> {
    const columns = await this.columnsOf(table);
    return names.map((name) => (name === null ? 'NULL' : columns.get(name.toLowerCase())!.bytes));
  }

  /** Returns the number of rows and a checksum, which changes when a row changes. */
  async checksum(table: string, where: string, rowSum: string): Promise<string> {
    const [row] = await this.rows<Array<string | null>>(
      `SELECT COUNT(*), BIT_XOR(s.c), SUM(s.c) FROM (SELECT ${rowSum} AS c FROM ${escapeId(table)}${where}) s`,
    );
    return row!.map((part) => part ?? 0).join(':');
  }

  /** Throws unless a unique key consists of this column alone. A view has no keys, so its values are compared. */
  async requireUnique(table: string, column: string, where: string | null): Promise<void> {
    const rows = await this.rows<[string]>(
      `SELECT index_name FROM information_schema.statistics
        WHERE table_schema = DATABASE() AND table_name = ${utf8Literal(table)} AND non_unique = 0
        GROUP BY index_name
       HAVING COUNT(*) = 1 AND LOWER(MAX(column_name)) = LOWER(${utf8Literal(column)})`,
    );
    if (rows.length > 0) return;
    const [view] = await this.rows<[string]>(
      `SELECT 1 FROM information_schema.views WHERE table_schema = DATABASE() AND table_name = ${utf8Literal(table)}`,
    );
    if (!view)
      throw new CommandFailed(
        `${table}.${column} has no unique key, so its rows cannot be told apart. Give the table a number of its own, ` +
          `ALTER TABLE ${escapeId(table)} ADD import_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE, and name it in players.columns.id`,
      );
    const [repeated] = await this.rows<[string]>(
      `SELECT COUNT(*) - COUNT(DISTINCT ${escapeId(column)}) FROM ${escapeId(table)}${whereSql(where)}`,
    );
    if (Number(repeated?.[0]) > 0)
      throw new CommandFailed(
        `the view ${table} has values of ${column} more than once. Name a column whose values differ in players.columns.id`,
      );
  }

  async end(): Promise<void> {
    await this.pool.end();
  }
}

function toCommandFailed(error: unknown): CommandFailed {
  const { message, code, sqlState } = error as NodeJS.ErrnoException & { sqlState?: string };
  const what = sqlState === undefined ? 'cannot be reached' : 'refuses';
  return new CommandFailed(`the old database ${what}: ${message || code}`);
}

/** Returns SQL that computes the checksum of a row from its columns as bytes. */
export function rowSumSql(columns: string[]): string {
  return `CRC32(CONCAT_WS(0x1f, ${columns.map((column) => `IFNULL(${column}, 0x00)`).join(', ')}))`;
}

/** Returns how many minutes a column is ahead of UTC. This is 0 for a TIMESTAMP column, because the session uses UTC. */
export function offsetOf(columns: Map<string, OldColumn>, name: string | null, timezone: string) {
  const column = columns.get(name?.toLowerCase() ?? '');
  return column?.type === 'timestamp' ? 0 : offsetMinutes(timezone);
}

function utf8Literal(text: string): string {
  return `CONVERT(x'${Buffer.from(text).toString('hex')}' USING utf8mb4)`;
}

export function whereSql(...conditions: Array<string | null | undefined>): string {
  const all = conditions.filter(Boolean).map((condition) => `(${condition})`);
  return all.length > 0 ? ` WHERE ${all.join(' AND ')}` : '';
}
