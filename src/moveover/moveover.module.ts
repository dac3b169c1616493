import { type DynamicModule, Module } from '@nestjs/common';
import { CheckService } from '../accounts/check.service.js';
import { CredentialsLookup } from '../accounts/credentials-lookup.js';
import { Passwords } from '../accounts/passwords.js';
import { AuthModule } from '../auth/auth.module.js';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/environment.js';
import { CountersModule } from '../counters/counters.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { LinksModule } from '../links/links.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';

/** What the service itself judges tokens and links with, for the proof. */
@Module({})
export class MoveoverModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: MoveoverModule,
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
