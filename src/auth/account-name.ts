/**
 * Account names are case-insensitive. MySQL's collation also equates `victim ` and `víctim` with `victim`, so compare
 * every row that was found by name again with this.
 */
export function isSameAccount(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
