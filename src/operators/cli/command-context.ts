import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { loadConfiguration } from '../../platform/config/load-configuration.js';
import { Settings } from '../../platform/config/settings.js';
import { AccountDatabase } from '../../platform/database/account-database.js';
import { isSchemaCurrent } from '../../platform/database/schema/schema-current.js';
import { CommandFailed } from './command.js';
import { CommandModule } from './command.module.js';

/** Runs a command with the services of a module, on a database that is up and has a known schema. */
export async function withCommandContext<T>(
  command: Type,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withUncheckedContext(command, async (app) => {
    for (const problem of app.get(Settings).problems)
      console.error(`the settings are refused: ${problem}`);
    if (!(await app.get(AccountDatabase).isUp()))
      throw new CommandFailed('the account database cannot be reached');
    if (!(await isSchemaCurrent(app.get(DataSource))))
      throw new CommandFailed('the schema is older than this program: run `npm run migrate` first');
    return work(app);
  });
}

/** The same on any database: for the command that checks it. */
export async function withUncheckedContext<T>(
  command: Type,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(
    // A refused settings file must not prevent an operator from settling; commands that need the settings refuse by
    // themselves.
    CommandModule.forRoot(loadConfiguration({ startsWithRefusedSettings: true }), command),
    { logger: false, abortOnError: false },
  );
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
