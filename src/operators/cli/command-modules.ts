import type { DynamicModule, Type } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import type { Environment } from '../../platform/config/environment.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';

/** The modules of every `gatehouse` command that queries the database. They migrate nothing. */
export function commandModules(environment: Environment): Array<DynamicModule | Type> {
  return [ConfigModule.forRoot(environment), MetricsModule, DatabaseModule.withoutMigrations()];
}
