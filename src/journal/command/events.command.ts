import { inCommandContext } from '../../command/command-context.js';
import { type Command, print } from '../../command/command.js';
import { EventsCommandModule } from './events-command.module.js';
import { EventsTerminal, OPTIONS, USAGE } from './events-terminal.js';

export const eventsCommand: Command = {
  summary: 'sign-ins, guesses, registrations an hour, and what operators did',
  usage: USAGE,
  words: ['logins', 'guesses', 'registrations', 'audit'],
  options: OPTIONS,
  run: (args) =>
    inCommandContext(
      (environment) => EventsCommandModule.forRoot(environment),
      async (app) => {
        const report = await app.get(EventsTerminal).run(args);
        return print(report, report.json);
      },
    ),
};
