import type { EntityManager } from 'typeorm';
import { loadSegments } from './chunks.js';
import type { ImportContext } from './import-context.js';
import { hexSql, NO_KEY } from './old-key.js';
import { type OldPlayer, toOldPlayer } from './old-player.js';

export const ROWS_PER_CHUNK = 5000;

/** A row of `import_player`. */
export interface ImportedPlayer {
  playerId: number | null;
  rowSum: number;
  passwordSum: number;
  emailSum: number;
  banSum: number;
}

/** The old players who were imported, or could not be, by key. */
export async function findImported(
  manager: EntityManager,
  keys: string[],
): Promise<Map<string, ImportedPlayer>> {
  if (keys.length === 0) return new Map();
  const literals = keys.map((key) => `x'${key}'`);
  const rows = await manager.query<Array<ImportedPlayer & { oldKey: string }>>(
    `SELECT ${hexSql('old_key')} AS oldKey, player_id AS playerId, row_sum AS rowSum, password_sum AS passwordSum,
            email_sum AS emailSum, ban_sum AS banSum
       FROM import_player WHERE old_key IN (${literals.join(', ')})`,
  );
  return new Map(rows.map((row) => [row.oldKey, row]));
}

/** The players whose accounts are not closed. None of them can be closed before the transaction ends. */
export async function lockOpenPlayers(manager: EntityManager, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await manager.query<Array<{ id: number }>>(
    `SELECT id FROM player WHERE id IN (${ids.join(', ')}) AND closed_at IS NULL /*! LOCK IN SHARE MODE */`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The old players who are not imported yet, in chunks. */
export async function* readPending(
  context: ImportContext,
  onRead: (rows: number) => void,
): AsyncGenerator<OldPlayer[]> {
  const { players, target, oldRowOptions } = context;
  const isMigrated = await target.isMigrated();
  const { numericKey } = players;
  const segments = isMigrated ? await loadSegments(target, numericKey) : [{ after: NO_KEY }];
  for (const { after, upTo, checksum } of segments) {
    if (checksum !== undefined && (await players.checksum(after, upTo!)) === checksum) {
      onRead(Number(checksum.split(':')[0]));
      continue;
    }
    for (let reached = after; ;) {
      const rows = await players.read(reached, upTo, ROWS_PER_CHUNK);
      const last = rows.at(-1)?.key;
      if (last === undefined) break;
      const imported = isMigrated
        ? await findImported(
            target.dataSource.manager,
            rows.map(({ key }) => key),
          )
        : new Map<string, ImportedPlayer>();
      yield rows
        .map((row) => toOldPlayer(row, oldRowOptions))
        .filter(({ key }) => typeof imported.get(key)?.playerId !== 'number');
      onRead(rows.length);
      reached = last;
    }
  }
}
