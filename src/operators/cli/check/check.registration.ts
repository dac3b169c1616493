import type { Command } from 'commander';
import { addQuery, parseId } from '../arguments.js';
import { callMethod, printReport, type Runner, wantsJson } from '../command.js';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import type { CheckCommand } from './check.command.js';

const NOTES = `
It changes nothing and sends nothing. Exit code 1 if something is wrong.
For running instances: gatehouse status.`;

const runCheck: Runner<CheckCommand> =
  (work) =>
  async (...args) => {
    const { withUncheckedContext } = await import('../command-context.js');
    const { CheckCommandModule } = await import('./check-command.module.js');
    const { CheckCommand: handler } = await import('./check.command.js');
    try {
      await withUncheckedContext(CheckCommandModule, async (app) =>
        printReport(await work(app.get(handler), ...args), wantsJson(args)),
      );
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      // Without an environment nothing else can be checked.
      for (const problem of error.problems) console.log(`WRONG  environment  ${problem}`);
      process.exitCode = 1;
    }
  };

export function registerCheck(program: Command, run = runCheck): void {
  addQuery(program, 'check', 'checks everything the service depends on, and says how to fix it')
    .option('--server <id>', 'only this server', parseId)
    .addHelpText('after', NOTES)
    .action(callMethod(run)('check'));
}
