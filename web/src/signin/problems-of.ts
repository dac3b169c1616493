/** Returns only the fields that have a problem. */
export function problemsOf<F extends string>(
  found: Record<F, string | undefined>,
): Partial<Record<F, string>> {
  const real = Object.entries(found).filter(([, problem]) => problem !== undefined);
  return Object.fromEntries(real) as Partial<Record<F, string>>;
}
