import { withCommandContext } from '../command-context.js';
import { type Command, printReport } from '../command.js';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { PlayerCommandModule } from './player-command.module.js';
import { OPTIONS, PlayerCommand, USAGE } from './player.command.js';

export const playerCommand: Command = {
  summary: 'shows players and their sign-ins; disables, unlocks, signs out, secures them and more',
  usage: USAGE,
  subcommands:
    'show logins withdrawals sessions disable enable unlock sign-out set-email set-password unlink rename secure'.split(
      ' ',
    ),
  options: OPTIONS,
  run: (args) =>
    withCommandContext(
      (environment) => PlayerCommandModule.forRoot(environment),
      async (app) => {
        await app.get(RedisConnection).waitForFirstConnection();
        const report = await app.get(PlayerCommand).run(args);
        return printReport(report, report.json);
      },
    ),
};
