/** A player as the game's tables may know him. */
export interface RoleOwner {
  account: string;
  /** The exact name in the game's tables. Null: `account`, in whatever case the game writes it. */
  gameAccount: string | null;
}

/**
 * Whether a name in the game's tables is this player's. The game's collation may find more than that: names that
 * differ by accents or trailing spaces.
 */
export function isOwnGameName(name: unknown, { account, gameAccount }: RoleOwner): boolean {
  if (typeof name !== 'string') return false;
  return gameAccount === null ? lowerAscii(name) === lowerAscii(account) : name === gameAccount;
}

/** Whether no two of these different names, in hexadecimal, differ by case alone. */
export function differByMoreThanCase(names: string[]): boolean {
  // Byte by byte: the game's table may be in another encoding.
  const lowered = names.map((name) => lowerAscii(Buffer.from(name, 'hex').toString('latin1')));
  return new Set(lowered).size === names.length;
}

function lowerAscii(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
