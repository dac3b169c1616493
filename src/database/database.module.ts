import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Environment } from '../config/environment.js';
import { AccountDatabase, MIGRATES } from './account-database.js';
import { AccountServers } from './account-servers.js';
import { createDataSource, dataSourceOptions } from './data-source.js';
import { ExpiredRows } from './expired-rows.js';
import { RivalPrimaries } from './rival-primaries.js';

@Module({ providers: [AccountServers], exports: [AccountServers] })
class AccountServersModule {}

@Global()
@Module({
  imports: [
    AccountServersModule,
    TypeOrmModule.forRootAsync({
      imports: [AccountServersModule],
      inject: [Environment, AccountServers],
      useFactory: (environment: Environment, { driver }: AccountServers) => ({
        ...dataSourceOptions(environment, driver),
        autoLoadEntities: true,
        // AccountDatabase connects it, so that the service can start without its database.
        manualInitialization: true,
      }),
      dataSourceFactory: (options) =>
        Promise.resolve(createDataSource(options as DataSourceOptions)),
    }),
  ],
  providers: [AccountDatabase, ExpiredRows, RivalPrimaries],
  exports: [AccountDatabase, ExpiredRows],
})
export class DatabaseModule {
  /** For commands: they must not change the schema under a running service. */
  static withoutMigrations(): DynamicModule {
    return { module: DatabaseModule, providers: [{ provide: MIGRATES, useValue: false }] };
  }
}
