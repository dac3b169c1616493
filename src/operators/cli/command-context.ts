import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import type { Environment } from '../../platform/config/environment.js';
import { loadConfiguration } from '../../platform/config/load-configuration.js';
import { Settings } from '../../platform/config/settings.js';
import { AccountDatabase } from '../../platform/database/account-database.js';
import { isSchemaCurrent } from '../../platform/database/schema/schema-current.js';
import { CommandFailed } from './command.js';

/** Runs a command with the services of a module, on a database that is up and whose schema this program knows. */
export async function withCommandContext<T>(
  moduleFor: (environment: Environment) => DynamicModule,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withUncheckedContext(moduleFor, async (app) => {
    for (const problem of app.get(Settings).problems)
      console.error(`the settings are refused: ${problem}`);
    if (!(await app.get(AccountDatabase).isUp()))
      throw new CommandFailed('the account database cannot be reached');
    if (!(await isSchemaCurrent(app.get(DataSource))))
      throw new CommandFailed('the schema is older than this program: run `npm run migrate` first');
    return work(app);
  });
}

/** The same on whatever there is: for the command that looks at it. */
export async function withUncheckedContext<T>(
  moduleFor: (environment: Environment) => DynamicModule,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(
    // A refused settings file must not keep a person from settling; what needs the settings refuses by itself.
    moduleFor(loadConfiguration('defaults: true')),
    { logger: false, abortOnError: false },
  );
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
