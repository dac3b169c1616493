import type { EntityManager } from 'typeorm';
import { selectRows } from '../database/statement.js';

const SAME_NAME_SQL = 'SELECT id FROM player WHERE game_account_folded = ? AND id <> ? LIMIT 1';

/** Whether another player has this name in the game, in any case: the game may treat the two as one. */
export async function isGameNameTaken(
  manager: EntityManager,
  account: string,
  exceptPlayerId = 0,
): Promise<boolean> {
  return (await selectRows(manager, SAME_NAME_SQL, [account, exceptPlayerId])).length > 0;
}
