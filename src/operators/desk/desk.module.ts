import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import type { Environment } from '../../platform/config/environment.js';
import { CountersModule } from '../../platform/counters/counters.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { NotFoundModule } from '../../platform/not-found/not-found.module.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';
import { StaticModule } from '../../platform/static/static.module.js';
import { AccessModule } from './access/access.module.js';
import { deskFrontEnd } from './desk-front-end.js';
import { PagesModule } from './pages.module.js';
import { SchemaMiddleware } from './schema.middleware.js';

/** The desk, the operators' web console. A separate program, never part of `AppModule`. */
@Module({})
export class DeskModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: DeskModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule.withoutMigrations(),
        CountersModule,
        HttpModule,
        AuditModule,
        AccessModule,
        PagesModule,
        StaticModule.forFrontEnd(deskFrontEnd),
        NotFoundModule,
      ],
      providers: [SchemaMiddleware],
    };
  }
}
