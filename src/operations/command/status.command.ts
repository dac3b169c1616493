import { type Command, print } from '../../command/command.js';
import { loadEnvironment } from '../../config/load-configuration.js';
import { readSettings } from '../../config/settings.js';
import { instancesOf } from '../fleet-instances.js';
import { statusOfFleet, USAGE } from './status-terminal.js';

export const statusCommand: Command = {
  summary: 'asks running instances whether they are ready, and which version they are',
  usage: USAGE,
  options: ['url'],
  async run(args) {
    const report = await statusOfFleet(args, known);
    return print(report, report.json);
  },
};

/** Of this host's configuration; where the instances are named, none is needed. */
function known(): string[] {
  const environment = loadEnvironment();
  const { values } = readSettings(environment.SETTINGS_FILE);
  return instancesOf(environment, values).map(({ url }) => url);
}
