import { loadEnvironment } from '../../../platform/config/load-configuration.js';
import { readSettings } from '../../../platform/config/settings.js';
import { configuredInstances } from '../../actions/instances/configured-instances.js';

/** Of this host's configuration; where the instances are named, none is needed. */
export function configuredUrls(): string[] {
  const environment = loadEnvironment();
  const { values } = readSettings(environment.SETTINGS_FILE);
  return configuredInstances(environment, values).map(({ url }) => url);
}
