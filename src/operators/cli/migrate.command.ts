import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { loadEnvironment } from '../../platform/config/load-configuration.js';
import { migrate } from '../../platform/database/migrate.js';
import { checkSchema } from './schema-check.js';
import { schemaReport } from './schema-report.js';

/** Returns the exit code. */
export async function runMigrate({ check = false } = {}): Promise<number> {
  try {
    return check ? await checkPending() : await runMigrations();
  } catch (error) {
    const problems =
      error instanceof ConfigurationError ? error.problems : [describeError(error as Error)];
    console.error('The schema could not be brought up to date:');
    for (const problem of problems) console.error(`  - ${problem}`);
    return 1;
  }
}

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

/** A refused connection has a code but no message. */
function describeError({ message, code }: NodeJS.ErrnoException): string {
  return message || code || 'no reason was given';
}
