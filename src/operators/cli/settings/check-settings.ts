import type { Report } from '../command.js';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import { readSettings } from '../../../platform/config/settings.js';
import { DEFAULT_SETTINGS } from '../../../platform/config/settings.schema.js';

/** Every mistake in a settings file, or what it sets. */
export function checkSettings(file: string): Report {
  try {
    const { values } = readSettings(file);
    const changes = diffFromDefaults(DEFAULT_SETTINGS, values);
    const lines = changes.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`);
    return { text: ['The file is valid.', ...lines].join('\n'), data: { problems: [], changes } };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { problems } = error;
    const text = `The service would refuse this file:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`;
    return { text, data: { problems }, ok: false };
  }
}

function diffFromDefaults(
  defaults: object,
  values: object,
  prefix = '',
): Array<{ key: string; value: unknown }> {
  return Object.entries(values).flatMap(([name, value]) => {
    const defaultValue = (defaults as Record<string, unknown>)[name];
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isGroup && typeof defaultValue === 'object' && defaultValue !== null)
      return diffFromDefaults(defaultValue, value as object, `${prefix}${name}.`);
    return JSON.stringify(value) === JSON.stringify(defaultValue)
      ? []
      : [{ key: prefix + name, value }];
  });
}
