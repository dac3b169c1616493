import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { loadConfiguration } from './config/load-configuration.js';
import { Settings } from './config/settings.js';
import { ConfigurationError } from './config/problems.js';
import { AccountDatabase } from './database/account-database.js';
import {
  CommandRefused,
  USAGE,
  UsageError,
  WithdrawalCommand,
} from './withdraw/command/withdrawal-command.js';
import { WithdrawalCommandModule } from './withdraw/command/withdrawal-command.module.js';

/** `npm run withdrawal -- …`: exits with 0, with 1 where it could not be done or differences were found, with 2 where it was not understood. */
async function run(): Promise<number> {
  const app = await NestFactory.createApplicationContext(
    // A refused settings file must not keep a person from settling; what needs the settings refuses by itself.
    WithdrawalCommandModule.forRoot(loadConfiguration('defaults: true')),
    { logger: false, abortOnError: false },
  );
  try {
    for (const problem of app.get(Settings).problems)
      console.error(`the settings are refused: ${problem}`);
    if (!(await app.get(AccountDatabase).isUp()))
      throw new CommandRefused('the account database cannot be reached');
    if (await isOutdated(app.get(DataSource)))
      throw new CommandRefused(
        'the schema is older than this program: run `npm run migrate` first',
      );
    const { text, ok } = await app.get(WithdrawalCommand).run(process.argv.slice(2));
    console.log(text);
    return ok ? 0 : 1;
  } finally {
    await app.close();
  }
}

async function isOutdated(dataSource: DataSource): Promise<boolean> {
  const done = await dataSource.query<unknown[]>('SELECT name FROM migrations').catch(() => []);
  return done.length < dataSource.migrations.length;
}

try {
  process.exitCode = await run();
} catch (error) {
  const problems =
    error instanceof ConfigurationError ? error.problems : [(error as Error).message];
  for (const problem of problems) console.error(problem);
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
