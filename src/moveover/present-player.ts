import type { EntityManager } from 'typeorm';
import { type OldPlayer, toOldPlayer } from './old-player.js';
import type { Session } from './session.js';

/** Somebody who is here already. */
export interface PresentPlayer {
  id: number;
  account: string;
}

export async function findPlayer(
  { target }: Session,
  manager: EntityManager,
  column: 'id' | 'account' | 'email',
  value: string | number,
): Promise<PresentPlayer | undefined> {
  const sql = `SELECT id, account FROM player WHERE ${column} = ${target.literal(value)}`;
  const [found] = await manager.query<PresentPlayer[]>(sql);
  return found;
}

/** What he was before; undefined for somebody who registered here. */
export async function oldOf(
  { players, reading }: Session,
  manager: EntityManager,
  playerId: number,
): Promise<OldPlayer | undefined> {
  const sql = `SELECT old_key AS oldKey FROM moveover_player WHERE player_id = ${playerId}`;
  const [moved] = await manager.query<Array<{ oldKey: Uint8Array }>>(sql);
  const [row] = moved ? await players.readThese([Buffer.from(moved.oldKey)]) : [];
  return row && toOldPlayer(row, reading);
}
