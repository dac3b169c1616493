import { withCommandContext } from '../command-context.js';
import { type Command, printReport } from '../command.js';
import { WithdrawalCommandModule } from './withdrawal-command.module.js';
import { OPTIONS, USAGE, WithdrawalCommand } from './withdrawal.command.js';

export const withdrawalCommand: Command = {
  summary: 'lists, shows, settles, reopens and reconciles withdrawals',
  usage: USAGE,
  subcommands: ['list', 'show', 'settle', 'reopen', 'orphans', 'reconcile'],
  options: OPTIONS,
  run: (args) =>
    withCommandContext(
      (environment) => WithdrawalCommandModule.forRoot(environment),
      async (app) => {
        const report = await app.get(WithdrawalCommand).run(args);
        return printReport(report, report.json);
      },
    ),
};
