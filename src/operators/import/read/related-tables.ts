import { escapeId } from 'mysql2';
import { MAX_NAME } from '../../../platform/auth/account-name.js';
import { hostProblem } from '../../../features/servers/server-validation.js';
import { MAX_INT } from '../../../platform/http/validation/field.decorator.js';
import { CommandFailed } from '../../cli/command.js';
import {
  charsetOf,
  type ImportMap,
  namedColumns,
  type OldTable,
  type ReferringTable,
} from './import-map.js';
import { type OldDatabase, offsetOf, whereSql } from './old-database.js';
import {
  type Finding,
  findingOf,
  longerBan,
  type OldBan,
  toId,
  truncate,
} from './old-player-row.js';
import { NO_KEY, type OldPlayerReader } from './old-player-reader.js';
import { decodeText, parseBanEnd } from './old-values.js';

const BATCH_SIZE = 1000;
const MAX_REASON = 200;
const GUESSED = 'the first guess; name the character set in charsets';
/** Findings of these classes concern the ban table, not an imported player. */
export const BAN_CLASSES = ['ban lost', 'ban reason'];

export interface OldTables {
  readonly old: OldDatabase;
  readonly map: ImportMap;
  /** Returns the current name of an old table, which changes when the table is moved aside. */
  readonly tableOf: (name: string) => string;
}

interface OldValue {
  bytes: Buffer;
  /** This is undefined if the bytes are not text. */
  text: string | undefined;
  /** Lists what the bytes may mean if they are not in the declared character set. */
  guesses: string[];
}

interface Reference {
  /** The row refers to the player by this name or id. */
  player: Buffer;
  /** This is `player` as text. */
  name: string;
  values: Array<OldValue | null>;
  /** The key is missing if no such player exists. */
  key?: string;
}

async function* readRows(
  { old, map, tableOf }: OldTables,
  { table, where }: OldTable,
  columns: Array<string | null>,
): AsyncGenerator<Array<OldValue | null>> {
  const select = (await old.bytesOf(tableOf(table), columns)).join(', ');
  const charsets = columns.map((column) => charsetOf(map, table, column));
  const sql = `SELECT ${select} FROM ${escapeId(tableOf(table))}${whereSql(where)}`;
  for await (const row of old.stream(sql))
    yield (row as Array<Buffer | null>).map((bytes, at) => bytes && toValue(bytes, charsets[at]!));
}

function toValue(bytes: Buffer, charset: string): OldValue {
  const unknown = { text: undefined, guesses: [`not text: ${bytes.toString('hex')}`] };
  const { text, guesses = [] } = decodeText(bytes, charset) ?? unknown;
  return { bytes, text, guesses };
}

/** Returns the bans in force by player key, and findings about bans without a player or with a guessed reason. */
export async function readBans(tables: OldTables, players: OldPlayerReader) {
  const { bans: from, timezone, date_order, ban_reason } = tables.map;
  const bans = new Map<string, OldBan>();
  const findings: Finding[] = [];
  if (!from) return { bans, findings };
  const columns = await tables.old.columnsOf(tables.tableOf(from.table));
  const offset = offsetOf(columns, from.until, timezone);
  const now = new Date();
  const [lost, guessed] = BAN_CLASSES as [string, string];
  for await (const batch of readReferences(tables, players, from, [from.until, from.reason]))
    for (const { key, name, values } of batch) {
      const [endText = '', given] = values.map((value) => value?.text);
      const until = parseBanEnd(endText, offset, date_order);
      if (until && until <= now) continue;
      const guesses = values.flatMap((value) => value?.guesses.join(', or ') || []);
      const note = (kind: string, detail: string, rule: string) =>
        findings.push(findingOf({ key: NO_KEY, name }, kind, detail, rule));
      if (guesses.length > 0) note(guessed, guesses.join('; '), GUESSED);
      const reason = truncate(given?.trim() || ban_reason, MAX_REASON);
      const ban = until === undefined ? { reason, until: null, endText } : { reason, until };
      if (key !== undefined) bans.set(key, longerBan(bans.get(key), ban)!);
      else note(lost, 'no player has this name', 'dropped');
    }
  return { bans, findings };
}

async function* readReferences(
  tables: OldTables,
  players: OldPlayerReader,
  from: ReferringTable,
  columns: Array<string | null>,
): AsyncGenerator<Reference[]> {
  let batch: Reference[] = [];
  for await (const [player, ...values] of readRows(tables, from, [from.player, ...columns])) {
    if (!player) continue;
    const { bytes, text = bytes.toString('hex') } = player;
    batch.push({ player: bytes, name: text, values });
    if (batch.length < BATCH_SIZE) continue;
    yield await players.resolve(batch, from.refers_to);
    batch = [];
  }
  if (batch.length > 0) yield await players.resolve(batch, from.refers_to);
}

export interface OldLink extends Pick<Reference, 'key' | 'name'> {
  connectId: string;
}

/** Reads the old links in batches, or reads nothing if the map has no `links`. */
export async function* readLinks(
  tables: OldTables,
  players: OldPlayerReader,
): AsyncGenerator<OldLink[]> {
  const { links } = tables.map;
  if (!links) return;
  for await (const batch of readReferences(tables, players, links, [links.connect_id]))
    yield batch.map(({ key, name, values }) => ({ key, name, connectId: values[0]?.text ?? '' }));
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

/** Returns the rows that fit into this service's table, and findings about the others and about guessed names. */
export async function readRelatedRows(tables: OldTables, into: 'server' | 'agent') {
  const group = into === 'server' ? 'servers' : 'promoters';
  const from = tables.map[group];
  const rows = new Map<number, Record<string, string | number>>();
  const findings: Finding[] = [];
  if (!from) return { rows: [], findings };
  const columns = 'columns' in from ? from.columns : { id: from.id, name: from.name };
  for await (const row of readRows(tables, from, Object.values(columns))) {
    const [old = '', name = '', address = '', port = ''] = row.map((value) => value?.text?.trim());
    const id = toId(old, from.renumber) ?? 0;
    const problem =
      id === 0
        ? `the id must be from 1 to ${MAX_INT}: give it one with ${group}.renumber`
        : rows.has(id)
          ? `another one becomes ${id}, too`
          : name === '' || name.length > MAX_NAME
            ? `the name must have from 1 to ${MAX_NAME} characters`
            : into === 'server'
              ? addressProblem(address, port)
              : undefined;
    const note = (detail: string, rule: string) =>
      findings.push(findingOf({ key: NO_KEY, name: old }, into, detail, rule));
    const guess = row[1]?.guesses.join(', or ');
    if (problem !== undefined) note(problem, 'not imported');
    else {
      if (guess) note(`the name may be ${guess}`, GUESSED);
      rows.set(id, into === 'server' ? { id, name, address, port: Number(port) } : { id, name });
    }
  }
  return { rows: [...rows.values()], findings };
}

function addressProblem(address: string, port: string): string | undefined {
  if (!hostProblem('address', address).next().done) return `the address "${address}" is not a host`;
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  return number >= 1 && number <= 65_535 ? undefined : `the port "${port}" is not a port`;
}
