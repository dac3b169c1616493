export interface SettingsChange {
  /** Such as `withdraw.max`. */
  key: string;
  before: unknown;
  after: unknown;
}

/** Every setting by its full name. */
export function flattenSettings(values: object, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flattenSettings(value, `${prefix}${name}.`))
        : [[prefix + name, value] as const],
    ),
  );
}

export function settingsChanges(before: object, after: object): SettingsChange[] {
  const [then, now] = [flattenSettings(before), flattenSettings(after)];
  return Object.keys(now)
    .filter((key) => JSON.stringify(then[key]) !== JSON.stringify(now[key]))
    .map((key) => ({ key, before: then[key], after: now[key] }));
}
