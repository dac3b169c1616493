import { type DynamicModule, Module } from '@nestjs/common';
import { CheckService } from '../../features/accounts/check.service.js';
import { CredentialsLookup } from '../../features/accounts/credentials-lookup.js';
import { Passwords } from '../../features/accounts/passwords.js';
import { AuthModule } from '../../platform/auth/auth.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import type { Environment } from '../../platform/config/environment.js';
import { CountersModule } from '../../platform/counters/counters.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { LinksModule } from '../../features/links/links.module.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';

/** The service's own classes for tokens and links, for the proof. */
@Module({})
export class ImportModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: ImportModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        CountersModule,
        DatabaseModule.withoutMigrations(),
        AuthModule,
        LinksModule,
      ],
      providers: [CheckService, CredentialsLookup, Passwords],
    };
  }
}
