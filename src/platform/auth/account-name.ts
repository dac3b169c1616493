import type { EntityManager } from 'typeorm';

/**
 * Account names are case-insensitive, and clients may send them with spaces at the end. MySQL's collation also equates
 * `víctim` with `victim`, so compare every row that was found by name again with this.
 */
export function isSameAccount(one: string | undefined, other: string): boolean {
  return one !== undefined && fold(one) === fold(other);
}

/** The name to look up: names are stored without trailing spaces, which the embedded database does not ignore. */
export function trimAccountName(name: string): string {
  return name.replace(/ +$/, '');
}

const BY_NAME = `FROM (SELECT (SELECT a.player_id FROM player_alias a WHERE a.name = ?) AS aliasId,
    (SELECT n.id FROM player n WHERE n.account = ?) AS namedId) f INNER JOIN player p ON p.id`;
/** The player that a typed name means: the one whose old name it is byte for byte, else the account with this name. */
export const MEANT_PLAYER_SQL = `${BY_NAME} = COALESCE(f.aliasId, f.namedId)`;
const POSSIBLE_PLAYERS_SQL = `SELECT p.id, p.account, f.aliasId ${BY_NAME} IN (f.aliasId, f.namedId)`;

interface NamedRow {
  id: number;
  account: string;
  /** Set if the name is an old one of a player whom the import renamed. */
  aliasId: unknown;
}

/** The parameters of both statements above. */
export function nameParameters(name: string): [string, string] {
  const typed = trimAccountName(name);
  return [typed, typed];
}

/** Compares the name again: to MySQL `víctim` equals `victim`. */
export function isMeant(found: Omit<NamedRow, 'id'>, name: string): boolean {
  return found.aliasId !== null || isSameAccount(found.account, name);
}

/** Everybody whom a person may mean by a name; the player who signs in with it comes first. */
export async function findIdsByName(manager: EntityManager, name: string): Promise<number[]> {
  const rows = await manager.query<NamedRow[]>(POSSIBLE_PLAYERS_SQL, nameParameters(name));
  const isAlias = ({ id, aliasId }: NamedRow) => id === Number(aliasId ?? 0);
  return rows
    .filter((row) => isAlias(row) || isSameAccount(row.account, name))
    .toSorted((one, other) => Number(isAlias(other)) - Number(isAlias(one)))
    .map(({ id }) => id);
}

/** The player's name in the game's tables, as sent to game servers and game clients. */
export function gameNameOf(player: { account: string; gameAccount: string | null }): string {
  return player.gameAccount || player.account;
}

function fold(name: string): string {
  return trimAccountName(name).toLowerCase();
}
