const LOWEST = -(1n << 63n);
const BYTES = 9;

export const NO_KEY = '';

/** Keys are bytes in hexadecimal. These nine sort like the numbers, including negative ones and BIGINT UNSIGNED. */
export function numberToKey(text: string): string {
  return (BigInt(text) - LOWEST).toString(16).padStart(2 * BYTES, '0');
}

/** For SQL that selects a key. */
export const hexSql = (column: string) => `LOWER(HEX(${column}))`;

export function keyToNumber(key: string): string {
  return String(BigInt(`0x${key}`) + LOWEST);
}

/** The id or, if the old table has none, the bytes of the name. Empty if no player is meant. */
export function formatKey(key: string, numeric: boolean): string {
  return numeric && key !== NO_KEY ? keyToNumber(key) : key;
}
