import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import type { Environment } from '../../platform/config/environment.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';

/** What every `gatehouse` command that queries the database needs. It migrates nothing. */
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
        command,
      ],
    };
  }
}
