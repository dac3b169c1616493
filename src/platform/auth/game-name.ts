import type { DataSource, EntityManager } from 'typeorm';
import { selectRows } from '../database/statement.js';

const SAME_NAME_SQL = `SELECT game_account AS name FROM player WHERE game_account_folded = ? AND id <> ?`;

/**
 * Whether a player has roles under this name. Another account of that name would get them, since the game is asked for
 * the name of an account without regard to case.
 */
export async function isGameNameTaken(
  manager: EntityManager,
  account: string,
  exceptPlayerId = 0,
): Promise<boolean> {
  return (
    (await selectRows(manager, `${SAME_NAME_SQL} LIMIT 1`, [account, exceptPlayerId])).length > 0
  );
}

/** The exact names in the game that this account could be taken for, and that are other players'. */
export async function gameNamesOfOtherPlayers(
  dataSource: DataSource,
  { id, account }: { id: number; account: string },
): Promise<string[]> {
  const rows = await selectRows<{ name: string }>(dataSource.manager, SAME_NAME_SQL, [
    account,
    id,
  ]);
  return rows.map(({ name }) => name);
}
