import { inCommandContext } from '../../command/command-context.js';
import type { Command } from '../../command/command.js';
import { WithdrawalCommandModule } from './withdrawal-command.module.js';
import { USAGE, WithdrawalTerminal } from './withdrawal-terminal.js';

export const withdrawalCommand: Command = {
  summary: 'lists, shows, settles, reopens and reconciles withdrawals',
  usage: USAGE,
  run: (args) =>
    inCommandContext(
      (environment) => WithdrawalCommandModule.forRoot(environment),
      async (app) => {
        const { text, ok } = await app.get(WithdrawalTerminal).run(args);
        console.log(text);
        return ok ? 0 : 1;
      },
    ),
};
