import { withCommandContext } from '../command-context.js';
import { type Command, printReport } from '../command.js';
import { EventsCommandModule } from './events-command.module.js';
import { EventsCommand, OPTIONS, USAGE } from './events.command.js';

export const eventsCommand: Command = {
  summary: 'sign-ins, guesses, registrations an hour, and what operators did',
  usage: USAGE,
  subcommands: ['logins', 'guesses', 'registrations', 'audit'],
  options: OPTIONS,
  run: (args) =>
    withCommandContext(
      (environment) => EventsCommandModule.forRoot(environment),
      async (app) => {
        const report = await app.get(EventsCommand).run(args);
        return printReport(report, report.json);
      },
    ),
};
