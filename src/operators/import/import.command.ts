import { CommandFailed } from '../cli/command.js';
import { loadConfiguration } from '../../platform/config/load-configuration.js';
import type { Environment } from '../../platform/config/environment.js';
import { migrate } from '../../platform/database/migrate.js';
import { InPlaceTables } from './in-place-tables.js';
import type { ImportArguments } from './import-arguments.js';
import { ImportRunner } from './import-runner.js';
import { ImportTarget } from './import-target.js';

/** Returns the exit code. */
export async function runImport(given: ImportArguments): Promise<number> {
  const environment = loadConfiguration();
  if (given.mode === 'adopt') return importInPlace(environment, given);
  if (given.mode === 'undo') return undo(environment, given);
  const runner = new ImportRunner(environment, given);
  if (given.mode === 'check') return runner.check();
  return given.mode === 'run' ? runner.run() : runner.verify();
}

async function importInPlace(environment: Environment, given: ImportArguments): Promise<number> {
  await withInPlaceTables(environment, async (tables) => {
    const sql = await tables.moveAside();
    console.log(sql ?? 'the old tables were moved aside before');
  });
  await migrate(environment);
  const runner = new ImportRunner(environment, { ...given, from: environment.DATABASE_URL });
  return (await runner.run()) || runner.verify();
}

function undo(environment: Environment, { yes }: ImportArguments): Promise<number> {
  return withInPlaceTables(environment, async (tables) => {
    const lines = await tables.listNewRows();
    if (lines.length > 0 && !yes)
      throw new CommandFailed(
        ['this would be lost, add --yes if it may be:', ...lines].join('\n  '),
      );
    console.log(await tables.restore());
    return 0;
  });
}

async function withInPlaceTables<T>(
  environment: Environment,
  work: (adoption: InPlaceTables) => Promise<T>,
): Promise<T> {
  if (environment.embedded)
    throw new CommandFailed('DATABASE_URL is not set: the embedded database has no old tables');
  const target = await ImportTarget.open(environment);
  try {
    return await work(new InPlaceTables(target));
  } finally {
    await target.close();
  }
}
