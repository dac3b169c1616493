import { inCommandContext } from '../../command/command-context.js';
import { type Command, print } from '../../command/command.js';
import { ZoneCommandModule } from './zone-command.module.js';
import { OPTIONS, USAGE, ZoneTerminal } from './zone-terminal.js';

export const zoneCommand: Command = {
  summary: 'lists, shows, adds, changes, opens, shuts and merges zones',
  usage: USAGE,
  words: ['list', 'show', 'add', 'set', 'open', 'maintenance', 'close', 'merge'],
  options: OPTIONS,
  run: (args) =>
    inCommandContext(
      (environment) => ZoneCommandModule.forRoot(environment),
      async (app) => {
        const report = await app.get(ZoneTerminal).run(args);
        return print(report, report.json);
      },
    ),
};
