import type { EntityManager } from 'typeorm';

const LOCK = 'UPDATE player SET lock_version = lock_version + 1 WHERE id = ?';

/**
 * Locks the player's row until the transaction ends. It changes the row: a cluster with many writers compares what
 * was changed, not what was locked, and has the later of two transactions begin again.
 */
export async function lockPlayer(manager: EntityManager, playerId: number): Promise<void> {
  await manager.query(LOCK, [playerId]);
}
