const LOWEST = -(1n << 63n);
const BYTES = 9;

export const NO_KEY: Buffer = Buffer.alloc(0);

/** Nine bytes that sort like the numbers, including negative ones and BIGINT UNSIGNED. */
export function numberToKey(text: string): Buffer {
  return Buffer.from((BigInt(text) - LOWEST).toString(16).padStart(2 * BYTES, '0'), 'hex');
}

export function keyToNumber(key: Buffer): string {
  return String(BigInt(`0x${key.toString('hex')}`) + LOWEST);
}

/** The id or, if the old table has none, the bytes of the name. Empty if no player is meant. */
export function formatKey(key: Buffer, numeric: boolean): string {
  if (key.length === 0) return '';
  return numeric ? keyToNumber(key) : key.toString('hex');
}
