import { loadEnvironment } from '../../platform/config/load-configuration.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { migrate } from '../../platform/database/migrate.js';
import { checkSchema } from './schema-check.js';
import { type Command, UsageError } from './command.js';
import { schemaReport } from './schema-report.js';

export const migrateCommand: Command = {
  summary: 'brings the schema up to date without starting the service',
  usage: `gatehouse migrate            bring the schema up to date; can be run again after it was cut off
gatehouse migrate --check    print the statements that would be run, and change nothing;
                             exits with 0 if the schema is up to date, with 1 if something is pending or in the way`,

  async run(args) {
    const [option] = args;
    if (args.length > 1 || (option !== undefined && option !== '--check'))
      throw new UsageError('migrate takes no arguments but --check');
    try {
      return option ? await checkPending() : await runMigrations();
    } catch (error) {
      const problems =
        error instanceof ConfigurationError ? error.problems : [describeError(error as Error)];
      console.error('The schema could not be brought up to date:');
      for (const problem of problems) console.error(`  - ${problem}`);
      return 1;
    }
  },
};

async function runMigrations(): Promise<number> {
  const done = await migrate(loadEnvironment());
  console.log(done.length > 0 ? `migrated: ${done.join(', ')}` : 'the schema is up to date');
  return 0;
}

async function checkPending(): Promise<number> {
  const found = await checkSchema(loadEnvironment());
  console.log(schemaReport(found));
  return found.pending.length > 0 || found.foreign.size > 0 ? 1 : 0;
}

/** A refused connection has a code and no message. */
function describeError({ message, code }: NodeJS.ErrnoException): string {
  return message || code || 'no reason was given';
}
