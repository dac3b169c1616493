import type { EntityManager } from 'typeorm';
import { type OldPlayer, toOldPlayer } from './old-player.js';
import type { ImportContext } from './import-context.js';

/** Somebody who is here already. */
export interface ExistingPlayer {
  id: number;
  account: string;
}

export async function findExistingPlayer(
  { target }: ImportContext,
  manager: EntityManager,
  column: 'id' | 'account' | 'email',
  value: string | number,
): Promise<ExistingPlayer | undefined> {
  const sql = `SELECT id, account FROM player WHERE ${column} = ${target.literal(value)}`;
  const [found] = await manager.query<ExistingPlayer[]>(sql);
  return found;
}

/** What he was before; undefined for somebody who registered here. */
export async function findOldPlayer(
  { players, oldRowOptions: reading }: ImportContext,
  manager: EntityManager,
  playerId: number,
): Promise<OldPlayer | undefined> {
  const sql = `SELECT old_key AS oldKey FROM import_player WHERE player_id = ${playerId}`;
  const [moved] = await manager.query<Array<{ oldKey: Uint8Array }>>(sql);
  const [row] = moved ? await players.readByKeys([Buffer.from(moved.oldKey)]) : [];
  return row && toOldPlayer(row, reading);
}
