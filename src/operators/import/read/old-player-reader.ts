import { hash } from 'node:crypto';
import { escapeId } from 'mysql2';
import { CommandFailed } from '../../cli/command.js';
import { type OldColumn, type OldDatabase, whereSql } from './old-database.js';
import type { ImportMap } from './import-map.js';
import { MAX_KEPT_ID, type OldRow } from './old-player-row.js';
import { foldName, offsetMinutes } from './old-values.js';

const LOWEST = -(1n << 63n);
const BYTES = 9;
const ROWS_PER_CHUNK = 5000;
/** The column `import_player.old_key` has this length. */
const MAX_KEY_BYTES = 192;
const DIGEST_BYTES = 32;

export const NO_KEY = '';

/** Returns nine hexadecimal bytes that sort like the number, even if it is negative or a BIGINT UNSIGNED. */
function numberToKey(text: string): string {
  return (BigInt(text) - LOWEST).toString(16).padStart(2 * BYTES, '0');
}

function keyToNumber(key: string): string {
  return String(BigInt(`0x${key}`) + LOWEST);
}

/** Selects a binary key as text, because drivers return bytes in different ways. */
export function hexSql(column: string): string {
  return `LOWER(HEX(${column}))`;
}

/** Returns the id or, if the old table has no id, the bytes of the name. */
export function formatKey(key: string, numeric: boolean): string {
  return numeric && key !== NO_KEY ? keyToNumber(key) : key;
}

export class OldPlayerReader {
  private readonly fields: string[] = [];
  private readonly select: string[] = [];
  private readonly sum: string;

  private constructor(
    private readonly database: OldDatabase,
    private readonly map: ImportMap,
    readonly table: string,
    private readonly columns: Map<string, OldColumn>,
    readonly numericKey: boolean,
  ) {
    const named: Array<[string, string | null]> = [
      ...Object.entries(map.players.columns),
      ['banned', map.players.banned?.column ?? null],
    ];
    for (const [field, column] of named) {
      if (column === null) continue;
      this.fields.push(field);
      this.select.push(columns.get(column.toLowerCase())!.bytes);
    }
    const parts = this.select.map((column) => `IFNULL(${column}, 0x00)`);
    this.sum = `CRC32(CONCAT_WS(0x1f, ${parts.join(', ')}))`;
  }

  static async open(
    database: OldDatabase,
    map: ImportMap,
    table: string,
  ): Promise<OldPlayerReader> {
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
    const type = columns.get(key.toLowerCase())?.type ?? '';
    return new OldPlayerReader(database, map, table, columns, /int$/i.test(type));
  }

  /** Returns the minutes ahead of UTC. A TIMESTAMP column has 0, because the session reads it in UTC. */
  get offsets(): { registered: number; last_login: number } {
    const of = (column: string | null) =>
      column && this.columns.get(column.toLowerCase())?.type === 'timestamp'
        ? 0
        : offsetMinutes(this.map.timezone);
    const { registered, last_login } = this.map.players.columns;
    return { registered: of(registered), last_login: of(last_login) };
  }

  async count(): Promise<number> {
    const [row] = await this.database.rows<[string]>(
      `SELECT COUNT(*) FROM ${escapeId(this.table)}${whereSql(this.map.players.where)}`,
    );
    return Number(row?.[0] ?? 0);
  }

  async ids(): Promise<{ largest: number; unusable: number }> {
    if (!this.numericKey) return { largest: 0, unusable: await this.count() };
    const kept = `${this.key} BETWEEN 1 AND ${MAX_KEPT_ID}`;
    const [row] = await this.database.rows<[string | null, string | null]>(
      `SELECT MAX(IF(${kept}, ${this.key}, 0)), SUM(NOT ${kept})
         FROM ${escapeId(this.table)}${whereSql(this.map.players.where)}`,
    );
    return { largest: Number(row?.[0] ?? 0), unusable: Number(row?.[1] ?? 0) };
  }

  read(after: string, upTo?: string, limit?: number): Promise<OldRow[]> {
    return this.query(
      `${this.keyRange(after, upTo)} ORDER BY ${this.key} ${limit ? `LIMIT ${limit}` : ''}`,
    );
  }

  /** Reads rows in chunks, because a table with millions of rows does not fit into memory. */
  async *readChunks(after: string, upTo?: string): AsyncGenerator<OldRow[]> {
    for (let reached = after; ;) {
      const rows = await this.read(reached, upTo, ROWS_PER_CHUNK);
      const last = rows.at(-1);
      if (!last) return;
      yield rows;
      reached = this.numericKey
        ? last.key
        : (last.columns.id ?? last.columns.account)!.toString('hex');
    }
  }

  private async query(which: string): Promise<OldRow[]> {
    const rows = await this.database.rows<Array<Buffer | string | null>>(
      `SELECT CAST(${this.key} AS BINARY), ${this.sum}, ${this.select.join(', ')}
         FROM ${escapeId(this.table)} ${which}`,
    );
    return rows.map((row) => {
      const columns: OldRow['columns'] = {};
      this.fields.forEach((field, at) => (columns[field] = row[at + 2] as Buffer | null));
      return { key: this.toKey(row[0] as Buffer), sum: Number(row[1]), columns };
    });
  }

  async readByKeys(keys: string[]): Promise<OldRow[]> {
    if (keys.length === 0) return [];
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
    const column = escapeId(name);
    const isNumber = (text: Buffer) => /^-?\d{1,20}$/.test(text.toString('latin1'));
    const wanted = references
      .map(({ player }) => player)
      .filter((text) => by === 'account' || isNumber(text))
      .map((text) =>
        by === 'id' ? text.toString('latin1') : this.textLiteral(text.toString('hex')),
      );
    const found = new Map<string, string>();
    if (wanted.length > 0) {
      const rows = await this.database.rows<[Buffer, Buffer]>(
        `SELECT ${this.columns.get(name.toLowerCase())!.bytes}, CAST(${this.key} AS BINARY)
           FROM ${escapeId(this.table)}
         ${whereSql(`${column} IN (${wanted.join(', ')})`, this.map.players.where)}`,
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

  /** Returns the same checksum as in an earlier run unless a row has changed. */
  async checksum(after: string, upTo: string): Promise<string> {
    const [row] = await this.database.rows<[string, string, string]>(
      `SELECT COUNT(*), BIT_XOR(s.c), SUM(s.c)
         FROM (SELECT ${this.sum} AS c FROM ${escapeId(this.table)} ${this.keyRange(after, upTo)}) s`,
    );
    return row ? `${row[0]}:${row[1]}:${row[2] ?? 0}` : '';
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
    return this.numericKey ? keyToNumber(key) : this.textLiteral(key);
  }

  private textLiteral(hex: string): string {
    const { account } = this.map.players.columns;
    const charset = this.columns.get(account.toLowerCase())?.charset;
    // The database can use its index only if the literal is in the column's own character set.
    return `${charset ? `_${charset} ` : ''}x'${hex}'`;
  }

  private toKey(bytes: Buffer): string {
    return this.numericKey ? numberToKey(bytes.toString('latin1')) : nameToKey(bytes);
  }
}

/** Returns the bytes of the name. The end of a name that is too long for our column is replaced by a digest. */
function nameToKey(name: Buffer): string {
  if (name.length < MAX_KEY_BYTES) return name.toString('hex');
  return name.toString('hex', 0, MAX_KEY_BYTES - DIGEST_BYTES) + hash('sha256', name);
}

function isDigested(key: string): boolean {
  return key.length === 2 * MAX_KEY_BYTES;
}

export function checksumOf(rows: OldRow[]): string {
  let xor = 0;
  let sum = 0;
  for (const { sum: each } of rows) {
    xor = (xor ^ each) >>> 0;
    sum += each;
  }
  return `${rows.length}:${xor}:${sum}`;
}
