import type { Command } from 'commander';
import {
  addQuery,
  callMethod,
  parseId,
  printReport,
  type Runner,
  wantsJson,
} from '../command-options.js';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import type { CheckCommand } from './check.command.js';

const NOTES = `
It changes nothing, except that it reserves names with roles but no player, so that no stranger can register them.
Only --game-server sends anything to a game server: an HTTP request without fields and, with gm_query_op, queries for an
order that does not exist. It exits with 1 if something is wrong.
gatehouse status checks running instances.`;

const runCheck: Runner<CheckCommand> =
  (work) =>
  async (...args) => {
    const { withUncheckedContext } = await import('../command-context.js');
    const { CheckCommand: handler, CheckCommandModule } = await import('./check.command.js');
    try {
      await withUncheckedContext(CheckCommandModule, async (app) =>
        printReport(await work(app.get(handler), ...args), wantsJson(args)),
      );
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      // No other check can run without a valid environment.
      for (const problem of error.problems) console.log(`WRONG  environment  ${problem}`);
      process.exitCode = 1;
    }
  };

export function registerCheck(program: Command, run = runCheck): void {
  addQuery(program, 'check', 'checks everything the service depends on, and says how to fix it')
    .option('--server <id>', 'only this server', parseId)
    .option(
      '--game-server <id>',
      'only this server, end to end: commands, clock and callbacks',
      parseId,
    )
    .addHelpText('after', NOTES)
    .action(callMethod(run)('check'));
}
