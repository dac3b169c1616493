import { inCommandContext } from '../../command/command-context.js';
import { type Command, print } from '../../command/command.js';
import { RedisConnection } from '../../counters/redis-connection.js';
import { PlayerCommandModule } from './player-command.module.js';
import { OPTIONS, PlayerTerminal, USAGE } from './player-terminal.js';

export const playerCommand: Command = {
  summary: 'shows players and their sign-ins; disables, unlocks, signs out, secures them and more',
  usage: USAGE,
  words:
    'show logins withdrawals sessions disable enable unlock sign-out set-email set-password unlink rename secure'.split(
      ' ',
    ),
  options: OPTIONS,
  run: (args) =>
    inCommandContext(
      (environment) => PlayerCommandModule.forRoot(environment),
      async (app) => {
        await app.get(RedisConnection).tried();
        const report = await app.get(PlayerTerminal).run(args);
        return print(report, report.json);
      },
    ),
};
