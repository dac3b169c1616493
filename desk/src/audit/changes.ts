/**
 * Describes what an act changed. With a state before the act, lists the changed fields. Without
 * one, shows the state after the act as a whole.
 */
export function changesOf(
  before: unknown,
  after: unknown,
): [name: string, from: string, to: string][] {
  const [then, now] = [fieldsOf(before), fieldsOf(after)];
  const names = Object.keys(Object.keys(then).length > 0 ? then : now);
  return names
    .map((name): [string, string, string] => [name, shown(then[name]), shown(now[name])])
    .filter(([, from, to]) => from !== to);
}

function fieldsOf(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {};
  if (typeof state !== 'object' || Array.isArray(state)) return { '': state };
  return state as Record<string, unknown>;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
