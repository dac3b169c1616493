import { hash } from 'node:crypto';
import { escapeId } from 'mysql2';
import { CommandFailed } from '../../cli/command.js';
import { type OldColumn, type OldDatabase, offsetOf, rowSumSql, whereSql } from './old-database.js';
import type { ImportMap } from './import-map.js';
import { MAX_KEPT_ID, type OldRow } from './old-player-row.js';
import { foldName } from './old-values.js';

const LOWEST = -(1n << 63n);
const BYTES = 9;
const ROWS_PER_CHUNK = 5000;
/** The column `import_player.old_key` has this length. */
const MAX_KEY_BYTES = 192;
const DIGEST_BYTES = 32;

export const NO_KEY = '';

/** Selects a binary key as text, because drivers return bytes in different ways. */
export function hexSql(column: string): string {
  return `LOWER(HEX(${column}))`;
}

export function keyList(rows: Iterable<{ key: string }>): string {
  return Array.from(rows, ({ key }) => `x'${key}'`).join(', ');
}

export interface OldChunk {
  rows: OldRow[];
  after: string;
  upTo: string;
}

export class OldPlayerReader {
  private constructor(
    private readonly database: OldDatabase,
    private readonly map: ImportMap,
    readonly table: string,
    private readonly columns: Map<string, OldColumn>,
    private readonly select: string[],
    readonly numericKey: boolean,
  ) {}

  static async open(database: OldDatabase, map: ImportMap, table: string) {
    const { players } = map;
    const columns = await database.columnsOf(table);
    const key = players.columns.id ?? players.columns.account;
    const [row] = await database.rows<[string]>(
      `SELECT COUNT(*) FROM ${escapeId(table)}${whereSql(`${escapeId(key)} IS NULL`, players.where)}`,
    );
    if (Number(row?.[0]) > 0)
      throw new CommandFailed(
        `${table}.${key} is NULL in ${row![0]} rows. Give these rows a value, or leave them out with players.where: ${key} IS NOT NULL`,
      );
    await database.requireUnique(table, key, players.where);
    const named = [...Object.values(players.columns), players.banned?.column ?? null];
    const select = await database.bytesOf(table, named);
    const isNumber = /int$/i.test(columns.get(key.toLowerCase())?.type ?? '');
    return new OldPlayerReader(database, map, table, columns, select, isNumber);
  }

  get offsets(): { registered: number; last_login: number } {
    const of = (column: string | null) => offsetOf(this.columns, column, this.map.timezone);
    const { registered, last_login } = this.map.players.columns;
    return { registered: of(registered), last_login: of(last_login) };
  }

  /** Counts all players and those whose id cannot be kept, and finds the largest id that is kept. */
  async count(): Promise<{ total: number; unusable: number; largest: number }> {
    const kept = this.numericKey ? `${this.key} BETWEEN 1 AND ${MAX_KEPT_ID}` : 'FALSE';
    const [row = []] = await this.database.rows<Array<string | null>>(
      `SELECT COUNT(*), SUM(NOT ${kept}), MAX(IF(${kept}, ${this.key}, 0))
         FROM ${escapeId(this.table)}${whereSql(this.map.players.where)}`,
    );
    const [total = 0, unusable = 0, largest = 0] = row.map(Number);
    return { total, unusable, largest };
  }

  /** Reads rows in chunks, because a table with millions of rows does not fit into memory. */
  async *readChunks(ranges: Array<{ after: string; upTo?: string }>): AsyncGenerator<OldChunk> {
    for (const { after, upTo } of ranges)
      for (let reached = after; ;) {
        const rows = await this.query(
          `${this.keyRange(reached, upTo)} ORDER BY ${this.key} LIMIT ${ROWS_PER_CHUNK}`,
        );
        const last = rows.at(-1);
        if (!last) break;
        const name = last.columns.id ?? last.columns.account;
        const end = this.numericKey ? last.key : name!.toString('hex');
        // The last chunk ends with the range, even if the last rows of the range were deleted.
        yield { rows, after: reached, upTo: rows.length < ROWS_PER_CHUNK ? (upTo ?? end) : end };
        reached = end;
      }
  }

  private async query(which: string): Promise<OldRow[]> {
    const rows = await this.database.rows<Array<Buffer | string | null>>(
      `SELECT CAST(${this.key} AS BINARY), ${rowSumSql(this.select)}, ${this.select.join(', ')}
         FROM ${escapeId(this.table)} ${which}`,
    );
    const fields = [...Object.keys(this.map.players.columns), 'banned'];
    return rows.map((row) => {
      const columns: OldRow['columns'] = {};
      fields.forEach((field, at) => (columns[field] = row[at + 2] as Buffer | null));
      return { key: this.toKey(row[0] as Buffer), sum: Number(row[1]), columns };
    });
  }

  async readByKeys(keys: string[]): Promise<OldRow[]> {
    if (keys.length === 0) return [];
    const isDigested = (key: string) => key.length === 2 * MAX_KEY_BYTES;
    const [long, short] = [keys.filter(isDigested), keys.filter((key) => !isDigested(key))];
    const digests = long.map((key) => `'${key.slice(-2 * DIGEST_BYTES)}'`);
    const conditions = [
      short.length > 0 && `${this.key} IN (${short.map((key) => this.literal(key)).join(', ')})`,
      long.length > 0 && `SHA2(CAST(${this.key} AS BINARY), 256) IN (${digests.join(', ')})`,
    ];
    return this.query(whereSql(conditions.filter(Boolean).join(' OR '), this.map.players.where));
  }

  /** Adds to each row of another table the key of the player to whom the row refers. */
  async resolve<T extends { player: Buffer }>(
    references: T[],
    by: 'account' | 'id',
  ): Promise<Array<T & { key?: string }>> {
    const name = this.map.players.columns[by] ?? this.map.players.columns.account;
    const texts = references.map(({ player }) => player.toString(by === 'id' ? 'latin1' : 'hex'));
    const wanted =
      by === 'id'
        ? texts.filter((text) => /^-?\d{1,20}$/.test(text))
        : texts.map((hex) => this.textLiteral(hex));
    const found = new Map<string, string>();
    if (wanted.length > 0) {
      const rows = await this.database.rows<[Buffer, Buffer]>(
        `SELECT ${this.columns.get(name.toLowerCase())!.bytes}, CAST(${this.key} AS BINARY)
           FROM ${escapeId(this.table)}
         ${whereSql(`${escapeId(name)} IN (${wanted.join(', ')})`, this.map.players.where)}`,
      );
      for (const [value, key] of rows) {
        const exact = value.toString('latin1');
        found.set(exact, this.toKey(key));
        const folded = foldName(exact);
        if (!found.has(folded)) found.set(folded, this.toKey(key));
      }
    }
    return references.map((reference) => {
      const exact = reference.player.toString('latin1');
      return { ...reference, key: found.get(exact) ?? found.get(foldName(exact)) };
    });
  }

  checksum(after: string, upTo: string): Promise<string> {
    return this.database.checksum(this.table, this.keyRange(after, upTo), rowSumSql(this.select));
  }

  /** Returns the id or, if the old table has no id, the bytes of the name. */
  formatKey(key: string): string {
    return this.numericKey && key !== NO_KEY ? String(BigInt(`0x${key}`) + LOWEST) : key;
  }

  private get key(): string {
    const { id, account } = this.map.players.columns;
    return escapeId(id ?? account);
  }

  private keyRange(after: string, upTo?: string): string {
    return whereSql(
      after === NO_KEY ? undefined : `${this.key} > ${this.literal(after)}`,
      upTo && `${this.key} <= ${this.literal(upTo)}`,
      this.map.players.where,
    );
  }

  private literal(key: string): string {
    return this.numericKey ? this.formatKey(key) : this.textLiteral(key);
  }

  private textLiteral(hex: string): string {
    const { account } = this.map.players.columns;
    const charset = this.columns.get(account.toLowerCase())?.charset;
    // The database can use its index only if the literal is in the column's own character set.
    return `${charset ? `_${charset} ` : ''}x'${hex}'`;
  }

  /**
   * Returns nine bytes, in hexadecimal, that sort like the number, even if it is negative or a BIGINT UNSIGNED, or the
   * bytes of the name. The end of a name that is too long for our column is replaced by a digest.
   */
  private toKey(value: Buffer): string {
    if (this.numericKey)
      return (BigInt(value.toString('latin1')) - LOWEST).toString(16).padStart(2 * BYTES, '0');
    if (value.length < MAX_KEY_BYTES) return value.toString('hex');
    return value.toString('hex', 0, MAX_KEY_BYTES - DIGEST_BYTES) + hash('sha256', value);
  }
}

/** Computes the same checksum as `OldDatabase.checksum` from the checksums of the rows. */
export function checksumOf(sums: number[]): string {
  const xor = sums.reduce((one, other) => (one ^ other) >>> 0, 0);
  const total = sums.reduce((one, other) => one + other, 0);
  return `${sums.length}:${xor}:${total}`;
}
