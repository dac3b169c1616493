import { withCommandContext } from '../command-context.js';
import { type Command, printReport } from '../command.js';
import { ServerCommandModule } from './server-command.module.js';
import { OPTIONS, USAGE, ServerCommand } from './server.command.js';

export const serverCommand: Command = {
  summary: 'lists, shows, adds, changes, opens, shuts and merges servers',
  usage: USAGE,
  subcommands: ['list', 'show', 'add', 'set', 'open', 'maintenance', 'close', 'merge'],
  options: OPTIONS,
  run: (args) =>
    withCommandContext(
      (environment) => ServerCommandModule.forRoot(environment),
      async (app) => {
        const report = await app.get(ServerCommand).run(args);
        return printReport(report, report.json);
      },
    ),
};
