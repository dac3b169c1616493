/** A player who asks for roles. */
export interface RoleOwner {
  id: number;
  account: string;
  /** The exact name in the game's tables; null until it is first needed. */
  gameAccount: string | null;
}

/** Whether two names differ by ASCII case at most. The game's collation may equate more: accents, spaces at the end. */
export function isSameIgnoringCase(one: string, other: string): boolean {
  return lowerAscii(one) === lowerAscii(other);
}

function lowerAscii(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
