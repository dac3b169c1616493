import type { Report } from '../command.js';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import { readSettings } from '../../../platform/config/settings.js';
import { settingsChanges } from '../../../platform/config/settings-changes.js';
import { DEFAULT_SETTINGS } from '../../../platform/config/settings.schema.js';

/** Every mistake in a settings file, or what it sets. */
export function checkSettings(file: string): Report {
  try {
    const { values } = readSettings(file);
    const changes = settingsChanges(DEFAULT_SETTINGS, values).map(({ key, after: value }) => ({
      key,
      value,
    }));
    const lines = changes.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`);
    return { text: ['The file is valid.', ...lines].join('\n'), data: { problems: [], changes } };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { problems } = error;
    const text = `The service would refuse this file:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`;
    return { text, data: { problems }, ok: false };
  }
}
