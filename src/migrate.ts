import { loadEnvironment } from './config/load-configuration.js';
import { ConfigurationError } from './config/problems.js';
import { migrate } from './database/migrate.js';

/** `npm run migrate`: brings the schema up to date without starting the service. */
try {
  const done = await migrate(loadEnvironment());
  console.log(done.length > 0 ? `migrated: ${done.join(', ')}` : 'the schema is up to date');
} catch (error) {
  const problems = error instanceof ConfigurationError ? error.problems : [String(error)];
  console.error('The schema could not be brought up to date:');
  for (const problem of problems) console.error(`  - ${problem}`);
  process.exitCode = 1;
}
