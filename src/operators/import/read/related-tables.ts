import { escapeId } from 'mysql2';
import { hostProblem } from '../../../features/servers/server-validation.js';
import { CommandFailed } from '../../cli/command.js';
import { charsetOf, type ImportMap, namedColumns } from './import-map.js';
import { type OldDatabase, utf8Literal, whereSql } from './old-database.js';
import { longerBan, type OldBan, toId } from './old-player-row.js';
import type { OldPlayerReader } from './old-player-reader.js';
import { decodeText, offsetMinutes, parseBanEnd } from './old-values.js';

const BATCH_SIZE = 1000;
const MAX_REASON = 200;
const MAX_NAME = 64;

export interface OldTables {
  readonly old: OldDatabase;
  readonly map: ImportMap;
  /** Returns the current name of an old table, which changes when the table is moved aside. */
  readonly tableOf: (name: string) => string;
}

interface ReferringTable {
  table: string;
  where: string | null;
  player: string;
  refers_to: 'account' | 'id';
}

export interface Reference {
  /** The row refers to the player by this name or id. */
  player: Buffer;
  /** This is `player` as text. */
  name: string;
  values: Array<string | null>;
  /** Lists values that are not in the declared character set. */
  guesses: string[];
  /** The key is missing if no such player exists. */
  key?: string;
}

/** Returns the bans in force by player key, those whose player does not exist, and those with a guessed reason. */
export async function readBans(
  tables: OldTables,
  players: OldPlayerReader,
): Promise<{ bans: Map<string, OldBan>; lost: Reference[]; guessed: Reference[] }> {
  const { old, map, tableOf } = tables;
  const { bans: from, timezone, date_order, ban_reason } = map;
  const bans = new Map<string, OldBan>();
  const lost: Reference[] = [];
  const guessed: Reference[] = [];
  if (!from) return { bans, lost, guessed };
  const columns = await old.columnsOf(tableOf(from.table));
  const isTimestamp = columns.get(from.until?.toLowerCase() ?? '')?.type === 'timestamp';
  const offset = isTimestamp ? 0 : offsetMinutes(timezone);
  const now = new Date();
  for await (const batch of readReferences(tables, players, from, [from.until, from.reason]))
    for (const reference of batch) {
      const [endText = null, given = null] = reference.values;
      const until = parseBanEnd(endText ?? '', offset, date_order);
      if (until && until <= now) continue;
      if (reference.guesses.length > 0) guessed.push(reference);
      const reason = Array.from(given?.trim() || ban_reason)
        .slice(0, MAX_REASON)
        .join('');
      const { key } = reference;
      const ban =
        until === undefined ? { reason, until: null, endText: endText! } : { reason, until };
      if (key === undefined) lost.push(reference);
      else bans.set(key, longerBan(bans.get(key), ban)!);
    }
  return { bans, lost, guessed };
}

export async function* readReferences(
  { old, map, tableOf }: OldTables,
  players: OldPlayerReader,
  { table, where, player, refers_to }: ReferringTable,
  columns: Array<string | null>,
): AsyncGenerator<Reference[]> {
  const known = await old.columnsOf(tableOf(table));
  const named = [player, ...columns];
  const select = named.map((column) => (column ? known.get(column.toLowerCase())!.bytes : 'NULL'));
  const charsets = named.map((column) => charsetOf(map, table, column));
  const sql = `SELECT ${select.join(', ')} FROM ${escapeId(tableOf(table))}${whereSql(where)}`;
  let batch: Reference[] = [];
  for await (const [reference, ...values] of old.stream(sql)) {
    if (reference === null) continue;
    const read = [reference, ...values].map((bytes, at) =>
      bytes ? readText(bytes as Buffer, charsets[at]!) : null,
    );
    batch.push({
      player: reference as Buffer,
      name: read[0]!.text,
      values: read.slice(1).map((each) => (each?.isText ? each.text : null)),
      guesses: read.slice(1).flatMap((each) => each?.guesses?.join(', or ') ?? []),
    });
    if (batch.length < BATCH_SIZE) continue;
    yield await players.resolve(batch, refers_to);
    batch = [];
  }
  if (batch.length > 0) yield await players.resolve(batch, refers_to);
}

/** Returns the bytes in hexadecimal if they are not text. */
function readText(bytes: Buffer, charset: string) {
  const decoded = decodeText(bytes, charset);
  if (decoded) return { ...decoded, isText: true };
  const text = bytes.toString('hex');
  return { text, guesses: [`not text: ${text}`], isText: false };
}

export interface OldLink extends Pick<Reference, 'key' | 'name'> {
  connectId: string;
}

/** Reads the old links in batches, and nothing if the map has none. */
export async function* readLinks(
  tables: OldTables,
  players: OldPlayerReader,
): AsyncGenerator<OldLink[]> {
  const { links } = tables.map;
  if (!links) return;
  for await (const batch of readReferences(tables, players, links, [links.connect_id]))
    yield batch.map(({ key, name, values }) => ({ key, name, connectId: values[0] ?? '' }));
}

/** Throws an error that lists every table and column of the map that the old database lacks. */
export async function requireOldTables({ old, map, tableOf }: OldTables): Promise<void> {
  const problems: string[] = [];
  for (const [name, named] of namedColumns(map)) {
    const table = tableOf(name);
    const columns = await old.columnsOf(table);
    const missing = named.filter((column) => column && !columns.has(column.toLowerCase()));
    if (columns.size === 0) problems.push(`the old database has no table ${table}`);
    else if (missing.length > 0)
      problems.push(`the old table ${table} has no column ${missing.join(', ')}`);
  }
  if (problems.length > 0)
    throw new CommandFailed(`${problems.join('\n')}\n(or the user of --from may not read it)`);
}

/** Returns the same checksum as before unless a row has changed. */
export async function tableChecksum(
  old: OldDatabase,
  table: string,
  where: string | null,
  columns: string[],
): Promise<string> {
  const parts = columns.map((column) => `IFNULL(CAST(${escapeId(column)} AS BINARY), 0x00)`);
  const [row] = await old.rows<unknown[]>(
    `SELECT ${utf8Literal(table)}, COUNT(*), BIT_XOR(s.c), SUM(s.c) FROM
       (SELECT CRC32(CONCAT_WS(0x1f, ${parts.join(', ')})) AS c FROM ${escapeId(table)}${whereSql(where)}) s`,
  );
  return row?.join(':') ?? '';
}

export interface RelatedRow {
  id: string;
  /** The values are missing if this service's table would reject them. */
  values?: Record<string, string | number>;
  problem?: string;
  /** Is set if the name is not in the declared character set. */
  guess?: string;
}

export async function readRelatedRows(
  { old, map, tableOf }: OldTables,
  into: 'server' | 'agent',
): Promise<RelatedRow[]> {
  const from = into === 'server' ? map.servers : map.promoters;
  if (!from) return [];
  const columns = 'columns' in from ? from.columns : { id: from.id, name: from.name };
  const known = await old.columnsOf(tableOf(from.table));
  const select = Object.values(columns).map((column) => known.get(column.toLowerCase())!.bytes);
  const rows = await old.rows<Array<Buffer | null>>(
    `SELECT ${select.join(', ')} FROM ${escapeId(tableOf(from.table))}${whereSql(from.where)}`,
  );
  const charsets = Object.values(columns).map((column) => charsetOf(map, from.table, column));
  const taken = new Set<number>();
  return rows.map((row) => {
    const read = row.map((bytes, at) => (bytes ? decodeText(bytes, charsets[at]!) : undefined));
    const [given = '', name = '', address = '', port = ''] = read.map(
      (each) => each?.text.trim() ?? '',
    );
    const guess = read[1]?.guesses?.join(', or ');
    const id = toId(given, from.renumber);
    const problem =
      id === undefined
        ? `the id must be from 1 to 2147483647: give it one with ${into === 'server' ? 'servers' : 'promoters'}.renumber`
        : taken.has(id)
          ? `another one becomes ${id}, too`
          : name === '' || name.length > MAX_NAME
            ? `the name must have from 1 to ${MAX_NAME} characters`
            : into === 'server'
              ? addressProblem(address, port)
              : undefined;
    if (id === undefined || problem !== undefined) return { id: given, problem };
    taken.add(id);
    const values = { id, name };
    return {
      id: given,
      guess,
      values: into === 'server' ? { ...values, address, port: Number(port) } : values,
    };
  });
}

function addressProblem(address: string, port: string): string | undefined {
  if (!hostProblem('address', address).next().done) return `the address "${address}" is no host`;
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  return number >= 1 && number <= 65_535 ? undefined : `the port "${port}" is none`;
}
