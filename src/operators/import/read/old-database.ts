import { createPool, escapeId, type Pool, type RowDataPacket } from 'mysql2/promise';
import { CommandFailed } from '../../cli/command.js';
import { parseDatabaseUrl } from '../../../platform/config/database-url.js';

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
    const { hosts, user, password, database, ssl } = parseDatabaseUrl(url);
    if (database === '') throw new CommandFailed('--from must name a database');
    this.name = database;
    this.pool = createPool({
      ...hosts[0],
      user,
      password,
      database,
      ssl,
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
        // The sum is a plain number, while BIT is bytes and ZEROFILL has zeros in front.
        const number = /^bit|zerofill/i.test(fullType) ? ' + 0' : '';
        const bytes = `CAST(${escapeId(name)}${number} AS BINARY)`;
        return [name.toLowerCase(), { type, charset, bytes }];
      }),
    );
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

export function utf8Literal(text: string): string {
  return `CONVERT(x'${Buffer.from(text).toString('hex')}' USING utf8mb4)`;
}

export function whereSql(...conditions: Array<string | null | undefined>): string {
  const all = conditions.filter(Boolean).map((condition) => `(${condition})`);
  return all.length > 0 ? ` WHERE ${all.join(' AND ')}` : '';
}
