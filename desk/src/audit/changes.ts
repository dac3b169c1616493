/**
 * Describes what an act changed. With a state before the act, lists the changed fields. Without
 * one, shows the state after the act as a whole.
 */
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
