import { type Command, printReport } from '../command.js';
import { loadEnvironment } from '../../../platform/config/load-configuration.js';
import { readSettings } from '../../../platform/config/settings.js';
import { configuredInstances } from '../../actions/instances/configured-instances.js';
import { fleetStatus, USAGE } from './status-report.js';

export const statusCommand: Command = {
  summary: 'asks running instances whether they are ready, and which version they are',
  usage: USAGE,
  options: ['url'],
  async run(args) {
    const report = await fleetStatus(args, configuredUrls);
    return printReport(report, report.json);
  },
};

/** Of this host's configuration; where the instances are named, none is needed. */
function configuredUrls(): string[] {
  const environment = loadEnvironment();
  const { values } = readSettings(environment.SETTINGS_FILE);
  return configuredInstances(environment, values).map(({ url }) => url);
}
