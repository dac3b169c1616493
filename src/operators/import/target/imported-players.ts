import { crc32 } from 'node:zlib';
import type { EntityManager } from 'typeorm';
import type { ImportContext } from './import-context.js';
import { hexSql, NO_KEY } from '../read/old-player-reader.js';
import { type OldBan, type OldPlayer, toOldPlayer } from '../read/old-player-row.js';
import type { ImportTarget } from './import-target.js';

/** Selects old rows between two keys. `checksum` is the rows' checksum at the time of the import. */
export interface KeyRange {
  after: string;
  upTo?: string;
  checksum?: string;
}

/** Holds checksums of what the import wrote, so that a later run sees what changed in which database. */
export interface ImportedPlayer {
  playerId: number | null;
  rowSum: number;
  passwordSum: number;
  emailSum: number;
  banSum: number;
  /** Is 0 if an earlier version imported the player. */
  nameSum: number;
  /** Is 0 if no link was imported. */
  linkSum: number;
}

/** Returns rows by old key, including players who could not be imported. */
export async function findImported(
  manager: EntityManager,
  keys: string[],
): Promise<Map<string, ImportedPlayer>> {
  if (keys.length === 0) return new Map();
  const literals = keys.map((key) => `x'${key}'`);
  const rows = await manager.query<Array<ImportedPlayer & { oldKey: string }>>(
    `SELECT ${hexSql('old_key')} AS oldKey, player_id AS playerId, row_sum AS rowSum, password_sum AS passwordSum,
            email_sum AS emailSum, ban_sum AS banSum, name_sum AS nameSum, link_sum AS linkSum
       FROM import_player WHERE old_key IN (${literals.join(', ')})`,
  );
  return new Map(rows.map((row) => [row.oldKey, row]));
}

export function insertImportedPlayersSql(
  players: Array<{ old: OldPlayer; id?: number; email: string | null }>,
): string {
  const rows = players.map(
    ({ old, id, email }) =>
      `(x'${old.key}',${id ?? 'NULL'},${old.sum},${crcOf(old.password)},${crcOf(email)},${banSum(old.ban)},${nameSum(old)})`,
  );
  return `INSERT INTO import_player (old_key, player_id, row_sum, password_sum, email_sum, ban_sum, name_sum) VALUES ${rows.join(',')}`;
}

export function crcOf(value: string | null): number {
  return crc32(value ?? '');
}

/** Returns a checksum that is never 0. */
export function nameSum({ name }: Pick<OldPlayer, 'name'>): number {
  return crcOf(name) || 1;
}

/** Returns a checksum, which is 0 only if there is no ban. */
export function banSum(ban: OldBan | null | undefined): number {
  return ban ? crcOf(`${ban.until?.toISOString() ?? ban.endText ?? ''} ${ban.reason}`) || 1 : 0;
}

/** Returns the accounts that are open, and locks them so that they stay open during the transaction. */
export async function lockOpenPlayers(manager: EntityManager, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await manager.query<Array<{ id: number }>>(
    `SELECT id FROM player WHERE id IN (${ids.join(', ')}) AND closed_at IS NULL /*! LOCK IN SHARE MODE */`,
  );
  return new Set(rows.map(({ id }) => id));
}

export async function* readPending(
  { players, target, oldRowOptions }: ImportContext,
  onRead: (rows: number) => void,
): AsyncGenerator<OldPlayer[]> {
  const isMigrated = await target.isMigrated();
  const { numericKey } = players;
  const segments = isMigrated ? await loadSegments(target, numericKey) : [{ after: NO_KEY }];
  for (const { after, upTo, checksum } of segments) {
    if (checksum !== undefined && (await players.checksum(after, upTo!)) === checksum) {
      onRead(Number(checksum.split(':')[0]));
      continue;
    }
    for await (const rows of players.readChunks(after, upTo)) {
      const keys = rows.map(({ key }) => key);
      const imported = isMigrated ? await findImported(target.dataSource.manager, keys) : undefined;
      yield rows
        .map((row) => toOldPlayer(row, oldRowOptions))
        .filter(({ key }) => typeof imported?.get(key)?.playerId !== 'number');
      onRead(rows.length);
    }
  }
}

/**
 * Divides the old table into the chunks that earlier runs imported and the ranges between and after these chunks.
 * Workers write chunks in parallel, so a run that was killed may leave a gap. If the keys are names, only the old
 * database knows their order, so the table is one segment.
 */
export async function loadSegments(target: ImportTarget, numericKey: boolean): Promise<KeyRange[]> {
  if (!numericKey) return [{ after: NO_KEY }];
  const stored = await target.query<Required<KeyRange>>(
    `SELECT ${hexSql('last_key')} AS upTo, ${hexSql('after_key')} AS after, checksum
       FROM import_chunk ORDER BY last_key`,
  );
  const segments: KeyRange[] = [];
  let reached = NO_KEY;
  for (const chunk of stored) {
    if (chunk.after !== reached) segments.push({ after: reached, upTo: chunk.after });
    segments.push(chunk);
    reached = chunk.upTo;
  }
  return [...segments, { after: reached }];
}

export async function storeChunk(
  manager: EntityManager,
  { after, upTo, checksum }: Required<KeyRange>,
): Promise<void> {
  await manager.query(`DELETE FROM import_chunk WHERE last_key = x'${upTo}'`);
  await manager.query(
    `INSERT INTO import_chunk (last_key, after_key, checksum)
     VALUES (x'${upTo}', x'${after}', '${checksum}')`,
  );
}
