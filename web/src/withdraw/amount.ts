/**
 * Reads an amount with thousands separators or full-width digits. Returns null if the amount is not a whole
 * number.
 */
export function readAmount(text: string): number | null {
  const plain = text.normalize('NFKC').trim();
  const isGrouped = /^\d{1,3}([, '’_]\d{3})+$/.test(plain);
  const digits = isGrouped ? plain.replace(/\D/g, '') : plain;
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

interface Bounds {
  min: number;
  max: number;
  balance: number;
  /** This is the rest of the daily limit, or Infinity if the rest is unknown. */
  left?: number;
}

export function amountProblem(
  text: string,
  { min, max, balance, left = Infinity }: Bounds,
): string | undefined {
  const amount = readAmount(text);
  if (amount === null) return 'whole';
  if (amount < min) return 'min';
  if (amount > max) return 'max';
  if (amount > balance) return 'balance';
  return amount > left ? 'daily' : undefined;
}
