import { type DynamicModule, Module } from '@nestjs/common';
import { CheckModule } from '../accounts/check.module.js';
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
        CheckModule,
        LinksModule,
      ],
    };
  }
}
