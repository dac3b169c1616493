import { CommandFailed } from '../cli/command.js';
import { escapeId, type OldDatabase, type OldColumn, whereSql } from './old-database.js';
import type { ImportMap } from './import-map.js';
import { keyToNumber, NO_KEY, numberToKey } from './old-key.js';
import { MAX_KEPT_ID, type OldRow } from './old-player.js';
import { offsetMinutes } from './old-time.js';

/** The old table of players, read in the order of its key. */
export class OldPlayers {
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
      this.select.push(`CAST(${escapeId(column)} AS BINARY)`);
    }
    const parts = this.select.map((column) => `IFNULL(${column}, 0x00)`);
    this.sum = `CRC32(CONCAT_WS(0x1f, ${parts.join(', ')}))`;
  }

  static async open(database: OldDatabase, map: ImportMap, table: string): Promise<OldPlayers> {
    const { players } = map;
    const columns = await database.columnsOf(table);
    const key = players.columns.id ?? players.columns.account;
    if (!(await database.isUnique(table, key)))
      throw new CommandFailed(
        `${table}.${key} has no unique key, so its rows cannot be told apart. Give the table a number of its own, ` +
          `ALTER TABLE ${escapeId(table)} ADD import_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE, and name it in players.columns.id`,
      );
    const type = columns.get(key.toLowerCase())?.type ?? '';
    return new OldPlayers(database, map, table, columns, /int$/i.test(type));
  }

  /** Minutes ahead of UTC. TIMESTAMP needs none, because the session reads it in UTC. */
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

  /** The largest id that is kept, and how many rows have an id that cannot be kept. */
  async ids(): Promise<{ largest: number; unusable: number }> {
    if (!this.numericKey) return { largest: 0, unusable: await this.count() };
    const kept = `${this.key} BETWEEN 1 AND ${MAX_KEPT_ID}`;
    const [row] = await this.database.rows<[string | null, string | null]>(
      `SELECT MAX(IF(${kept}, ${this.key}, 0)), SUM(NOT ${kept})
         FROM ${escapeId(this.table)}${whereSql(this.map.players.where)}`,
    );
    return { largest: Number(row?.[0] ?? 0), unusable: Number(row?.[1] ?? 0) };
  }

  /** The rows after one key, up to another one or to a number of rows. */
  read(after: string, upTo?: string, limit?: number): Promise<OldRow[]> {
    return this.query(
      `${this.keyRange(after, upTo)} ORDER BY ${this.key} ${limit ? `LIMIT ${limit}` : ''}`,
    );
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
    const literals = keys.map((key) => this.literal(key));
    return this.query(whereSql(`${this.key} IN (${literals.join(', ')})`, this.map.players.where));
  }

  /** The players that rows of another table refer to, by name or id. */
  async resolve<T extends { player: Buffer }>(
    references: T[],
    by: 'account' | 'id',
  ): Promise<Array<T & { key?: string }>> {
    const column = escapeId(this.map.players.columns[by] ?? this.map.players.columns.account);
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
        `SELECT CAST(${column} AS BINARY), CAST(${this.key} AS BINARY)
           FROM ${escapeId(this.table)}
         ${whereSql(`${column} IN (${wanted.join(', ')})`, this.map.players.where)}`,
      );
      for (const [name, key] of rows) {
        const exact = name.toString('latin1');
        found.set(exact, this.toKey(key));
        const folded = foldBytes(exact);
        if (!found.has(folded)) found.set(folded, this.toKey(key));
      }
    }
    return references.map((reference) => {
      const exact = reference.player.toString('latin1');
      return { ...reference, key: found.get(exact) ?? found.get(foldBytes(exact)) };
    });
  }

  /** Equal to the checksum of an earlier run, unless a row has changed. */
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
    // In the column's own character set: otherwise the server would convert, and not use its index.
    return `${charset ? `_${charset} ` : ''}x'${hex}'`;
  }

  private toKey(bytes: Buffer): string {
    return this.numericKey ? numberToKey(bytes.toString('latin1')) : bytes.toString('hex');
  }
}

/** Most old tables ignored case and trailing spaces; an exact match has priority. */
function foldBytes(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/ +$/, '');
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
