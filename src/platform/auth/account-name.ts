/**
 * Account names are case-insensitive, and clients may send them with spaces at the end. MySQL's collation also equates
 * `víctim` with `victim`, so compare every row that was found by name again with this.
 */
export function isSameAccount(one: string | undefined, other: string): boolean {
  return one !== undefined && fold(one) === fold(other);
}

/** The name that is looked up: names are stored without spaces at the end, and the embedded database tells those apart. */
export function trimAccountName(name: string): string {
  return name.replace(/ +$/, '');
}

/** Whom the name as it was typed means, where he was renamed when he was moved over; for `aliasKeys`. */
export const ALIAS_OWNER_SQL =
  '(SELECT a.player_id FROM player_alias a WHERE a.name IN (?, ?) ORDER BY a.name LIMIT 1)';

/** Exactly as it was typed, or in any case. */
export function aliasKeys(name: string): [string, string] {
  const typed = trimAccountName(name);
  return [`=${typed}`, `~${typed.toLowerCase()}`];
}

/** The name under which the game's tables know a player: what game servers and game clients are told. */
export function gameNameOf(player: { account: string; gameAccount: string | null }): string {
  return player.gameAccount || player.account;
}

function fold(name: string): string {
  return trimAccountName(name).toLowerCase();
}
