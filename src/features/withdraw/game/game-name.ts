// More spellings of a name than any game has by accident.
export const MAX_SPELLINGS = 10;

/**
 * The names that may be the account's, among those that each server's collation considers equal: one, none yet, or
 * several among which a person must choose. A name in another case than the account's may belong to another player.
 */
export function possibleGameNames(account: string, spellings: string[][]): string[] {
  const names = [...new Set(spellings.flat())];
  // Each server returns a limited number of them.
  const isComplete = spellings.every(({ length }) => length < MAX_SPELLINGS);
  const own = names.filter((name) => isSameIgnoringCase(name, account));
  const isExact = own.length === 1 && own[0] === account && isComplete;
  return isExact || own.length === 0 ? own : names;
}

/** Whether two names differ by ASCII case at most. The game's collation may equate more: accents, spaces at the end. */
export function isSameIgnoringCase(one: string, other: string): boolean {
  return lowerAscii(one) === lowerAscii(other);
}

function lowerAscii(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
