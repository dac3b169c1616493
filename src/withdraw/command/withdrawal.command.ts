import { inCommandContext } from '../../command/command-context.js';
import { type Command, print } from '../../command/command.js';
import { WithdrawalCommandModule } from './withdrawal-command.module.js';
import { OPTIONS, USAGE, WithdrawalTerminal } from './withdrawal-terminal.js';

export const withdrawalCommand: Command = {
  summary: 'lists, shows, settles, reopens and reconciles withdrawals',
  usage: USAGE,
  words: ['list', 'show', 'settle', 'reopen', 'orphans', 'reconcile'],
  options: OPTIONS,
  run: (args) =>
    inCommandContext(
      (environment) => WithdrawalCommandModule.forRoot(environment),
      async (app) => {
        const report = await app.get(WithdrawalTerminal).run(args);
        return print(report, report.json);
      },
    ),
};
