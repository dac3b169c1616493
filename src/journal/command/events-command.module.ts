import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '../../config/config.module.js';
import type { Environment } from '../../config/environment.js';
import { DatabaseModule } from '../../database/database.module.js';
import { MetricsModule } from '../../metrics/metrics.module.js';
import { JournalModule } from '../journal.module.js';
import { JournalSearch } from '../journal-search.js';
import { EventsTerminal } from './events-terminal.js';

@Module({})
export class EventsCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: EventsCommandModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule.withoutMigrations(),
        JournalModule,
      ],
      providers: [EventsTerminal, JournalSearch],
    };
  }
}
