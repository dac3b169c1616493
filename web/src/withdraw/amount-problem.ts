interface Bounds {
  min: number;
  max: number;
  balance: number;
}

/** Checks an amount before it is sent. */
export function amountProblem(text: string, { min, max, balance }: Bounds): string | undefined {
  if (!/^\d{1,15}$/.test(text)) return 'whole';
  const amount = Number(text);
  if (amount < min) return 'min';
  if (amount > max) return 'max';
  return amount > balance ? 'balance' : undefined;
}
