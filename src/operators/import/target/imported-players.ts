import { crc32 } from 'node:zlib';
import type { EntityManager } from 'typeorm';
import type { ImportContext } from './import-context.js';
import { hexSql, keyList, NO_KEY } from '../read/old-player-reader.js';
import { type OldBan, type OldPlayer, toOldPlayer } from '../read/old-player-row.js';

export interface KeyRange {
  after: string;
  upTo?: string;
  /** This is set if an earlier run may have imported some of the rows. */
  isKnown: boolean;
}

/** Holds checksums of what the import wrote, so that a later run sees what changed in which database. */
export interface ImportedPlayer {
  playerId: number | null;
  rowSum: number;
  passwordSum: number;
  emailSum: number;
  banSum: number;
  /** This is 0 if an earlier version imported the player. */
  nameSum: number;
  /** This is 0 if no link was imported. */
  linkSum: number;
}

/** Returns rows by old key, including players who could not be imported. */
export async function findImported(
  manager: EntityManager,
  of: Array<{ key: string }>,
): Promise<Map<string, ImportedPlayer>> {
  if (of.length === 0) return new Map();
  const rows = await manager.query<Array<ImportedPlayer & { oldKey: string }>>(
    `SELECT ${hexSql('old_key')} AS oldKey, player_id AS playerId, row_sum AS rowSum, password_sum AS passwordSum,
            email_sum AS emailSum, ban_sum AS banSum, name_sum AS nameSum, link_sum AS linkSum
       FROM import_player WHERE old_key IN (${keyList(of)})`,
  );
  return new Map(rows.map((row) => [row.oldKey, row]));
}

/** Reads the old rows of players who were imported. */
export async function readOldPlayers<Here extends { oldKey: string }>(
  context: ImportContext,
  imported: Here[],
): Promise<Array<Here & { old: OldPlayer }>> {
  const byKey = new Map(imported.map((here) => [here.oldKey, here]));
  const rows = await context.players.readByKeys([...byKey.keys()]);
  return rows.map((row) => ({ ...byKey.get(row.key)!, old: toOldPlayer(row, context) }));
}

export function insertImportedPlayersSql(
  players: Array<{ old: OldPlayer; id?: number; email: string | null }>,
): string {
  const rows = players.map(
    ({ old, id, email }) =>
      `(x'${old.key}',${id ?? 'NULL'},${old.sum},${crcOf(old.password)},${crcOf(email)},${banSum(old.ban)},${nameSumOf(old.name)})`,
  );
  return `INSERT INTO import_player (old_key, player_id, row_sum, password_sum, email_sum, ban_sum, name_sum) VALUES ${rows.join(',')}`;
}

export function crcOf(value: string | null): number {
  return crc32(value ?? '');
}

/** Returns a checksum that is never 0. */
export function nameSumOf(name: string): number {
  return crcOf(name) || 1;
}

/** Returns a checksum, which is 0 only if there is no ban. */
export function banSum(ban: OldBan | null | undefined): number {
  return ban ? crcOf(`${ban.until?.toISOString() ?? ban.endText ?? ''} ${ban.reason}`) || 1 : 0;
}

/** Returns the players whose accounts are open, and locks these so that they stay open during the transaction. */
export async function lockOpenPlayers<Player extends { id: number }>(
  manager: EntityManager,
  players: Player[],
): Promise<Player[]> {
  if (players.length === 0) return [];
  const ids = players.map(({ id }) => id).join(', ');
  const rows = await manager.query<Array<{ id: number }>>(
    `SELECT id FROM player WHERE id IN (${ids}) AND closed_at IS NULL /*! LOCK IN SHARE MODE */`,
  );
  const open = new Set(rows.map(({ id }) => id));
  return players.filter(({ id }) => open.has(id));
}

/** Reads the players who are not imported yet. */
export async function* readPending(
  context: ImportContext,
  ranges: KeyRange[],
  onRead: (rows: number) => void = () => undefined,
): AsyncGenerator<OldPlayer[]> {
  const { players, target } = context;
  const isMigrated = await target.isMigrated();
  for await (const { rows } of players.readChunks(ranges)) {
    const imported = isMigrated ? await findImported(target.dataSource.manager, rows) : undefined;
    yield rows
      .filter(({ key }) => typeof imported?.get(key)?.playerId !== 'number')
      .map((row) => toOldPlayer(row, context));
    onRead(rows.length);
  }
}

/**
 * Divides the old table into the chunks that earlier runs imported and the ranges between and after these chunks, and
 * returns those that are new or have changed, with the number of rows in all others. Workers write chunks in parallel,
 * so a run that was killed may leave a gap. If the keys are names, only the old database knows their order, so the
 * table is one range.
 */
export async function findChanged({ players, target }: ImportContext) {
  const ranges: KeyRange[] = [];
  let unchanged = 0;
  let reached = NO_KEY;
  if (!players.numericKey || !(await target.isMigrated()))
    return { ranges: [{ after: NO_KEY, isKnown: true }], unchanged };
  const stored = await target.query<{ after: string; upTo: string; checksum: string }>(
    `SELECT ${hexSql('last_key')} AS upTo, ${hexSql('after_key')} AS after, checksum
       FROM import_chunk ORDER BY last_key`,
  );
  for (const { after, upTo, checksum } of stored) {
    if (after !== reached) ranges.push({ after: reached, upTo: after, isKnown: false });
    if ((await players.checksum(after, upTo)) !== checksum)
      ranges.push({ after, upTo, isKnown: true });
    else unchanged += Number(checksum.split(':')[0]);
    reached = upTo;
  }
  ranges.push({ after: reached, isKnown: false });
  return { ranges, unchanged };
}
