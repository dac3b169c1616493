import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Environment } from '../config/environment.js';
import { AccountDatabase, RUN_MIGRATIONS, AccountDatabaseHosts } from './account-database.js';
import { createDataSource, dataSourceOptions } from './data-source.js';
import { BackgroundJobs } from './background-jobs.js';
import { DatabaseClock } from './database-clock.js';
import { ExpiredRowCleaner } from './expired-row-cleaner.js';
import { RowQueue } from './row-queue.js';

@Module({ providers: [AccountDatabaseHosts], exports: [AccountDatabaseHosts] })
class AccountDatabaseHostsModule {}

@Global()
@Module({
  imports: [
    AccountDatabaseHostsModule,
    TypeOrmModule.forRootAsync({
      imports: [AccountDatabaseHostsModule],
      inject: [Environment, AccountDatabaseHosts],
      useFactory: (environment: Environment, { driver }: AccountDatabaseHosts) => ({
        ...dataSourceOptions(environment, driver),
        autoLoadEntities: true,
        // AccountDatabase connects the data source, so that the service can start while the database is down.
        manualInitialization: true,
      }),
      dataSourceFactory: (options) =>
        Promise.resolve(createDataSource(options as DataSourceOptions)),
    }),
  ],
  providers: [AccountDatabase, BackgroundJobs, DatabaseClock, ExpiredRowCleaner, RowQueue],
  exports: [AccountDatabase, BackgroundJobs, DatabaseClock, ExpiredRowCleaner, RowQueue],
})
export class DatabaseModule {
  /** Returns the module for commands, which must not change the schema under a running service. */
  static withoutMigrations(): DynamicModule {
    return { module: DatabaseModule, providers: [{ provide: RUN_MIGRATIONS, useValue: false }] };
  }
}
