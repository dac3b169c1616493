import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/environment.js';
import { CountersModule } from '../counters/counters.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { HttpModule } from '../http/http.module.js';
import { JournalModule } from '../journal/journal.module.js';
import { NotFoundModule } from '../not-found/not-found.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { WebModule } from '../web/web.module.js';
import { AccessModule } from './access/access.module.js';
import { DESK_PAGES } from './desk-pages.js';
import { deskFrontEnd } from './desk-front-end.js';
import { SchemaMiddleware } from './schema.middleware.js';

/** The desk: what operators see and do in a browser. A program of its own, never part of `AppModule`. */
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
        JournalModule,
        AccessModule,
        ...DESK_PAGES,
        WebModule.serving(deskFrontEnd),
        NotFoundModule,
      ],
      providers: [SchemaMiddleware],
    };
  }
}
