import { type Command, UsageError } from './command.js';
import { loadEnvironment } from '../config/load-configuration.js';
import { ConfigurationError } from '../config/problems.js';
import { migrate } from '../database/migrate.js';

export const migrateCommand: Command = {
  summary: 'brings the schema up to date without starting the service',
  usage: `gatehouse migrate`,

  async run(args) {
    if (args.length > 0) throw new UsageError('migrate takes no arguments');
    try {
      const done = await migrate(loadEnvironment());
      console.log(done.length > 0 ? `migrated: ${done.join(', ')}` : 'the schema is up to date');
      return 0;
    } catch (error) {
      const problems = error instanceof ConfigurationError ? error.problems : [String(error)];
      console.error('The schema could not be brought up to date:');
      for (const problem of problems) console.error(`  - ${problem}`);
      return 1;
    }
  },
};
