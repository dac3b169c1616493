import { escapeId, utf8Literal, type OldDatabase } from './old-database.js';
import type { ImportMap } from './import-map.js';
import { offsetMinutes, parseOldTime } from './old-time.js';
import type { OldPlayers } from './old-players.js';

const BATCH_SIZE = 1000;

export interface Reference {
  /** As the side table writes the player: his name or his id. */
  player: Buffer;
  value: Buffer | null;
  /** Undefined: no player is meant by it. */
  key?: Buffer;
}

/** The keys of banned players in hexadecimal, and the bans that are nobody's. */
export async function readBans(
  old: OldDatabase,
  players: OldPlayers,
  { bans, timezone }: ImportMap,
  tableOf: (name: string) => string,
): Promise<{ banned: Set<string>; lost: Reference[] }> {
  const banned = new Set<string>();
  const lost: Reference[] = [];
  if (!bans) return { banned, lost };
  const now = new Date();
  const select = [bans.player, bans.until];
  for await (const batch of readReferences(
    old,
    players,
    tableOf(bans.table),
    select,
    bans.refers_to,
  ))
    for (const reference of batch) {
      const until = reference.value
        ? parseOldTime(reference.value.toString('latin1'), offsetMinutes(timezone))
        : null;
      if (until && until < now) continue;
      if (reference.key) banned.add(reference.key.toString('hex'));
      else lost.push(reference);
    }
  return { banned, lost };
}

/** The rows of a table that refers to players, in batches, each with the player it means. */
export async function* readReferences(
  old: OldDatabase,
  players: OldPlayers,
  table: string,
  [player, value]: Array<string | null>,
  refersTo: 'account' | 'id',
): AsyncGenerator<Reference[]> {
  const cast = (column: string | null | undefined) =>
    column ? `CAST(${escapeId(column)} AS BINARY)` : 'NULL';
  const sql = `SELECT ${cast(player)}, ${cast(value)} FROM ${escapeId(table)}`;
  let batch: Reference[] = [];
  for await (const [reference, other] of old.stream(sql)) {
    if (reference === null) continue;
    batch.push({ player: reference as Buffer, value: other as Buffer | null });
    if (batch.length < BATCH_SIZE) continue;
    yield await players.resolve(batch, refersTo);
    batch = [];
  }
  if (batch.length > 0) yield await players.resolve(batch, refersTo);
}

/** All of them, before anything is moved. */
export async function requireRelatedTables(
  old: OldDatabase,
  { bans, links, promoters, servers }: ImportMap,
  tableOf: (name: string) => string,
): Promise<void> {
  const needed: Array<[string, Array<string | null>]> = [];
  if (bans) needed.push([bans.table, [bans.player, bans.until]]);
  if (links) needed.push([links.table, [links.player, links.connect_id]]);
  if (promoters) needed.push([promoters.table, [promoters.id, promoters.name]]);
  if (servers) needed.push([servers.table, Object.values(servers.columns)]);
  for (const [table, columns] of needed) await old.requireColumns(tableOf(table), columns);
}

/** Equal to what it was before, unless a row has changed. */
export async function tableChecksum(
  old: OldDatabase,
  table: string,
  columns: string[],
): Promise<string> {
  const parts = columns.map((column) => `IFNULL(CAST(${escapeId(column)} AS BINARY), 0x00)`);
  const [row] = await old.rows<unknown[]>(
    `SELECT ${utf8Literal(table)}, COUNT(*), BIT_XOR(s.c), SUM(s.c)
       FROM (SELECT CRC32(CONCAT_WS(0x1f, ${parts.join(', ')})) AS c FROM ${escapeId(table)}) s`,
  );
  return row?.join(':') ?? '';
}
