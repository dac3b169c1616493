import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigModule } from '../../config/config.module.js';
import type { Environment } from '../../config/environment.js';
import { DatabaseModule } from '../../database/database.module.js';
import { JournalModule } from '../../journal/journal.module.js';
import { MetricsModule } from '../../metrics/metrics.module.js';
import { OperatorActs } from '../access/operator-acts.js';
import { OperatorSessions } from '../access/operator-sessions.js';
import { OperatorSession } from '../access/operator-session.entity.js';
import { Operator } from '../access/operator.entity.js';
import { OperatorTerminal } from './operator-terminal.js';

@Module({})
export class OperatorCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: OperatorCommandModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule.withoutMigrations(),
        JournalModule,
        TypeOrmModule.forFeature([Operator, OperatorSession]),
      ],
      providers: [OperatorActs, OperatorSessions, OperatorTerminal],
    };
  }
}
