import {
  type DynamicModule,
  type INestApplicationContext,
  Module,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import type { Environment } from '../../platform/config/environment.js';
import { loadConfiguration } from '../../platform/config/load-configuration.js';
import { ConfigModule, Settings } from '../../platform/config/settings.js';
import { AccountDatabase } from '../../platform/database/account-database.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import {
  pendingMigrations,
  refuseNewerSchema,
  SchemaProblem,
} from '../../platform/database/schema-state.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { MetricsModule } from '../../platform/metrics/metrics.js';
import { CommandFailed } from './command.js';

/** Provides what every command with a database needs, but runs no migrations. */
@Module({})
export class CommandModule {
  static forRoot(environment: Environment, command: Type): DynamicModule {
    return {
      module: CommandModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule.withoutMigrations(),
        AuditModule,
        EventsModule,
        command,
      ],
    };
  }
}

/** Runs a command in a module's context if the database is up and its schema is current. */
export async function withCommandContext<T>(
  command: Type,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withUncheckedContext(command, async (app) => {
    for (const problem of app.get(Settings).problems)
      console.error(`the settings are refused: ${problem}`);
    // The schema is checked first, because `isUp` also fails if our tables are missing.
    const dataSource = app.get(DataSource);
    const pending = dataSource.isInitialized ? await findPending(dataSource) : undefined;
    if (pending && pending.length > 0)
      throw new CommandFailed(
        'the schema is missing, or older than this program: run gatehouse migrate first',
      );
    if (!pending || !(await app.get(AccountDatabase).isUp()))
      throw new CommandFailed('the account database cannot be reached');
    return work(app);
  });
}

/** Returns undefined if the database does not answer. */
async function findPending(dataSource: DataSource): Promise<string[] | undefined> {
  try {
    await refuseNewerSchema(dataSource);
    return await pendingMigrations(dataSource);
  } catch (error) {
    if (error instanceof SchemaProblem) throw error;
    return undefined;
  }
}

/** Runs a command without checking the database, because `gatehouse check` must also work on a broken one. */
export async function withUncheckedContext<T>(
  command: Type,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(
    // Invalid settings must not prevent an operator from settling a withdrawal.
    CommandModule.forRoot(loadConfiguration({ startsWithRefusedSettings: true }), command),
    { logger: false, abortOnError: false },
  );
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
