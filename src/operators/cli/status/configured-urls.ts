import { loadEnvironment } from '../../../platform/config/load-configuration.js';
import { readSettings } from '../../../platform/config/settings.js';
import { configuredInstances } from '../../actions/instances/configured-instances.js';

/** From this host's configuration; not needed if the instances are given. */
export function configuredUrls(): string[] {
  const environment = loadEnvironment();
  const { values } = readSettings(environment.SETTINGS_FILE);
  return configuredInstances(environment, values).map(({ url }) => url);
}
