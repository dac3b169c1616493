import { createPool, escapeId, type Pool, type RowDataPacket } from 'mysql2/promise';
import { CommandFailed } from '../cli/command.js';
import { parseDatabaseUrl } from '../../platform/config/database-url.js';

const CONNECTIONS = 4;

export interface OldColumn {
  type: string;
  charset: string | null;
}

/** The database of the previous generation. Read only. */
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
      // TIMESTAMP is read in UTC; the old database is never changed.
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

  /** Rows of a large table, one by one. */
  async *stream(sql: string): AsyncGenerator<unknown[]> {
    const stream = this.pool.pool.query(sql).stream({ highWaterMark: 1000 });
    try {
      for await (const row of stream) yield row as unknown[];
    } catch (error) {
      throw toCommandFailed(error);
    }
  }

  /** By lower-case name. Empty: the table does not exist or may not be read. */
  async columnsOf(table: string): Promise<Map<string, OldColumn>> {
    const rows = await this.rows<[string, string, string | null]>(
      `SELECT column_name, data_type, character_set_name FROM information_schema.columns
        WHERE table_schema = DATABASE() AND table_name = ${utf8Literal(table)}`,
    );
    return new Map(rows.map(([name, type, charset]) => [name.toLowerCase(), { type, charset }]));
  }

  /** Whether a unique key consists of this column alone. */
  async isUnique(table: string, column: string): Promise<boolean> {
    const rows = await this.rows<[string]>(
      `SELECT index_name FROM information_schema.statistics
        WHERE table_schema = DATABASE() AND table_name = ${utf8Literal(table)} AND non_unique = 0
        GROUP BY index_name
       HAVING COUNT(*) = 1 AND LOWER(MAX(column_name)) = LOWER(${utf8Literal(column)})`,
    );
    return rows.length > 0;
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

/** Text of any bytes as a literal. */
export function utf8Literal(text: string): string {
  return `CONVERT(x'${Buffer.from(text).toString('hex')}' USING utf8mb4)`;
}

/** ` WHERE …`, from the conditions that are set. */
export function whereSql(...conditions: Array<string | null | undefined>): string {
  const all = conditions.filter(Boolean).map((condition) => `(${condition})`);
  return all.length > 0 ? ` WHERE ${all.join(' AND ')}` : '';
}

export { escapeId };
