import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigModule } from '../../config/config.module.js';
import type { Environment } from '../../config/environment.js';
import { DatabaseModule } from '../../database/database.module.js';
import { JournalModule } from '../../journal/journal.module.js';
import { MetricsModule } from '../../metrics/metrics.module.js';
import { OpenWork } from '../desk/open-work.js';
import { ZoneActs } from '../desk/zone-acts.js';
import { Zone } from '../zone.entity.js';
import { ZoneTerminal } from './zone-terminal.js';

@Module({})
export class ZoneCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: ZoneCommandModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule.withoutMigrations(),
        JournalModule,
        TypeOrmModule.forFeature([Zone]),
      ],
      providers: [OpenWork, ZoneActs, ZoneTerminal],
    };
  }
}
