/** Returns the fields that an action changed, or all fields of the new state if there was no state before. */
export function changesOf(
  before: unknown,
  after: unknown,
): [name: string, from: unknown, to: unknown][] {
  const [then, now] = [fieldsOf(before), fieldsOf(after)];
  const names = Object.keys(Object.keys(then).length > 0 ? then : now);
  return names
    .map((name): [string, unknown, unknown] => [name, then[name] ?? null, now[name] ?? null])
    .filter(([, from, to]) => textOf(from) !== textOf(to));
}

function fieldsOf(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {};
  if (typeof state !== 'object' || Array.isArray(state)) return { '': state };
  return state as Record<string, unknown>;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
