import type { EntityManager } from 'typeorm';
import { runStatement } from '../database/sql.js';

const LOCK = 'UPDATE player SET lock_version = lock_version + 1 WHERE id = ?';
const LOCK_UNCHANGED = `${LOCK} AND ver = ? AND has_second_factor = ?`;

/**
 * Locks the player's row until commit. The statement changes a column, because a multi-primary cluster detects
 * conflicting changes, not locks. If two transactions change the same row on different nodes, the later transaction is
 * retried.
 */
export async function lockPlayer(manager: EntityManager, playerId: number): Promise<void> {
  await runStatement(manager, LOCK, [playerId]);
}

/** Returns false if the password or `has_second_factor` has changed in the meantime. */
export async function lockUnchangedPlayer(
  manager: EntityManager,
  { id, ver, hasSecondFactor }: { id: number; ver: number; hasSecondFactor: boolean },
): Promise<boolean> {
  const values = [id, ver, hasSecondFactor ? 1 : 0];
  return (await runStatement(manager, LOCK_UNCHANGED, values)).affected === 1;
}
