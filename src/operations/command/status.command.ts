import { type Command, print } from '../../command/command.js';
import { statusOfFleet, USAGE } from './status-terminal.js';

export const statusCommand: Command = {
  summary: 'asks running instances whether they are ready, and which version they are',
  usage: USAGE,
  options: ['url'],
  async run(args) {
    const report = await statusOfFleet(args);
    return print(report, report.json);
  },
};
