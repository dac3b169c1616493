/** An amount as people write it: with a mark between thousands, or with wide digits. Null where it is no whole number. */
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
  /** What the daily limit leaves; Infinity where it is not known. */
  left?: number;
}

/** Checks an amount before it is sent. */
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

/** A slip of the finger costs most here: asked for once more. */
export function isLarge(amount: number, { max }: Pick<Bounds, 'max'>): boolean {
  return amount > max / 2;
}
