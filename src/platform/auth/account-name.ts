import type { EntityManager } from 'typeorm';
import { selectRows } from '../database/sql.js';

/** The columns of account names and of names in the game have this length. */
export const MAX_NAME = 64;

/**
 * Compares account names, ignoring case and trailing spaces. MySQL's collation also equates `víctim` with `victim`, so
 * the caller must compare every row found by name again with this function.
 */
export function isSameAccount(one: string | null | undefined, other: string): boolean {
  return typeof one === 'string' && fold(one) === fold(other);
}

/** Matches the names that the forum sign-in gives to new accounts. An owner may replace such a name once. */
export const GENERATED_NAME = /^forum_[a-z0-9]{10}$/i;

/** Removes trailing spaces, which the embedded database does not ignore in comparisons. */
export function trimAccountName(name: string): string {
  return name.replace(/ +$/, '');
}

const POSSIBLE_PLAYERS_SQL = `SELECT p.id, p.account, f.aliasId
  FROM (SELECT (SELECT a.player_id FROM player_alias a WHERE a.name = ?) AS aliasId,
    (SELECT n.id FROM player n WHERE n.account = ?) AS namedId) f
  INNER JOIN player p ON p.id IN (f.aliasId, f.namedId)`;

const BY_GAME_NAME_SQL = 'SELECT id FROM player WHERE game_account = ?';
const SAME_NAME_SQL = 'SELECT id FROM player WHERE game_account_folded = ? AND id <> ? LIMIT 1';

interface NamedRow {
  id: number;
  account: string;
  /** This is set if the name is an old name of a player whom the import renamed. */
  aliasId: unknown;
}

/** Returns the ids of all players whom this name may mean. The player who signs in with the name comes first. */
export async function findIdsByName(manager: EntityManager, name: string): Promise<number[]> {
  const typed = trimAccountName(name);
  const rows = await manager.query<NamedRow[]>(POSSIBLE_PLAYERS_SQL, [typed, typed]);
  const isAlias = ({ id, aliasId }: NamedRow) => id === Number(aliasId ?? 0);
  return rows
    .filter((row) => isAlias(row) || isSameAccount(row.account, name))
    .toSorted((one, other) => Number(isAlias(other)) - Number(isAlias(one)))
    .map(({ id }) => id);
}

/**
 * Finds the player to whom a game server refers. The name in the game takes precedence, because after a rename, a
 * disabled account has the old account name.
 */
export async function findIdForGame(
  manager: EntityManager,
  name: string,
): Promise<number | undefined> {
  const [inGame] = await selectRows<{ id: number }>(manager, BY_GAME_NAME_SQL, [name]);
  return inGame?.id ?? (await findIdsByName(manager, name))[0];
}

/** Returns the player's name in the game's tables. Game servers and game clients receive this name. */
export function gameNameOf(player: { account: string; gameAccount: string | null }): string {
  return player.gameAccount || player.account;
}

/** Returns whether another player has this name in the game. The comparison ignores case, as the game may. */
export async function isGameNameTaken(
  manager: EntityManager,
  account: string,
  exceptPlayerId = 0,
): Promise<boolean> {
  return (await selectRows(manager, SAME_NAME_SQL, [account, exceptPlayerId])).length > 0;
}

function fold(name: string): string {
  return trimAccountName(name).toLowerCase();
}
