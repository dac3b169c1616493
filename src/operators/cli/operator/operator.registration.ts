import { withCommandContext } from '../command-context.js';
import { type Command, printReport } from '../command.js';
import { OperatorCommandModule } from './operator-command.module.js';
import { OPTIONS, OperatorCommand, USAGE } from './operator.command.js';

export const operatorCommand: Command = {
  summary: 'lists, adds, disables and resets those who may use the desk',
  usage: USAGE,
  subcommands: ['list', 'add', 'set-role', 'reset', 'disable', 'enable'],
  options: OPTIONS,
  run: (args) =>
    withCommandContext(
      (environment) => OperatorCommandModule.forRoot(environment),
      async (app) => {
        const report = await app.get(OperatorCommand).run(args);
        return printReport(report, report.json);
      },
    ),
};
