import type { EntityManager } from 'typeorm';
import { runStatement } from '../database/statement.js';

const LOCK = 'UPDATE player SET lock_version = lock_version + 1 WHERE id = ?';
const LOCK_UNCHANGED = `${LOCK} AND ver = ? AND has_second_factor = ?`;

/**
 * Locks the player's row until commit. It changes a column, because a cluster with many writers certifies changes and
 * not locks: of two transactions that changed the same row at different nodes, the later one is retried.
 */
export async function lockPlayer(manager: EntityManager, playerId: number): Promise<void> {
  await runStatement(manager, LOCK, [playerId]);
}

/** The same. False if a new password, or the first or last second factor, came between the caller's proof and now. */
export async function lockUnchangedPlayer(
  manager: EntityManager,
  { id, ver, hasSecondFactor }: { id: number; ver: number; hasSecondFactor: boolean },
): Promise<boolean> {
  const values = [id, ver, hasSecondFactor ? 1 : 0];
  return (await runStatement(manager, LOCK_UNCHANGED, values)).affected === 1;
}
