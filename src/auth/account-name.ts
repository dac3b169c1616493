/**
 * Account names differ in nothing but case. MySQL's collation also takes `victim ` and `víctim` for `victim`, so
 * whatever it finds by name is compared again here.
 */
export function isSameAccount(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
