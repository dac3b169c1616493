import type { EntityManager } from 'typeorm';
import { runStatement } from '../database/statement.js';

const LOCK = 'UPDATE player SET lock_version = lock_version + 1 WHERE id = ?';

/**
 * Locks the player's row until commit. It changes a column, because a cluster with many writers certifies changes and
 * not locks: of two transactions that changed the same row at different nodes, the later one is retried.
 */
export async function lockPlayer(manager: EntityManager, playerId: number): Promise<void> {
  await runStatement(manager, LOCK, [playerId]);
}
