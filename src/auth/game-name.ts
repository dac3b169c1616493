import type { EntityManager } from 'typeorm';
import { selectRows } from '../database/statement.js';

const SAME_NAME = 'SELECT id FROM player WHERE game_account_folded = ? AND id <> ? LIMIT 1';

/**
 * Whether a player has roles under this name. Another account of that name would get them, since the game is asked for
 * the name of an account without regard to case.
 */
export async function isNameInGame(
  manager: EntityManager,
  account: string,
  exceptOf = 0,
): Promise<boolean> {
  return (await selectRows(manager, SAME_NAME, [account, exceptOf])).length > 0;
}
