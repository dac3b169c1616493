import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import { loadEnvironment } from '../../../platform/config/load-configuration.js';
import { readSettings } from '../../../platform/config/settings.js';
import { DEFAULT_SETTINGS, type SettingsValues } from '../../../platform/config/settings.schema.js';
import { configuredInstances } from '../../actions/instances/configured-instances.js';

/** From this host's configuration; not needed if the instances are given. */
export function configuredUrls(): string[] {
  const environment = loadEnvironment();
  const values = readOrDefault(environment.SETTINGS_FILE);
  return configuredInstances(environment, values).map(({ url }) => url);
}

/** The instances report a refused file themselves, so this host's is asked although the file cannot be used. */
function readOrDefault(file: string): SettingsValues {
  try {
    return readSettings(file).values;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(`${file} is refused: asking only the instance on this host`);
    return DEFAULT_SETTINGS;
  }
}
