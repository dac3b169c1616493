import { withUncheckedContext } from '../command-context.js';
import { type Command, printReport } from '../command.js';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import { CheckCommandModule } from './check-command.module.js';
import { CheckCommand, OPTIONS, USAGE } from './check.command.js';

export const checkCommand: Command = {
  summary: 'looks at everything the service stands on; says what is wrong and what to do',
  usage: USAGE,
  options: OPTIONS,
  async run(args) {
    try {
      return await withUncheckedContext(
        (environment) => CheckCommandModule.forRoot(environment),
        async (app) => {
          const report = await app.get(CheckCommand).run(args);
          return printReport(report, report.json);
        },
      );
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      // Without an environment nothing else can be looked at.
      for (const problem of error.problems) console.log(`WRONG  environment  ${problem}`);
      return 1;
    }
  },
};
