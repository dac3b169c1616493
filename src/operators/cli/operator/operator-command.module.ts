import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigModule } from '../../../platform/config/config.module.js';
import type { Environment } from '../../../platform/config/environment.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { OperatorActions } from '../../desk/access/operator-actions.js';
import { OperatorSessions } from '../../desk/access/operator-sessions.js';
import { OperatorSession } from '../../desk/access/operator-session.entity.js';
import { Operator } from '../../desk/access/operator.entity.js';
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
        AuditModule,
        TypeOrmModule.forFeature([Operator, OperatorSession]),
      ],
      providers: [OperatorActions, OperatorSessions, OperatorTerminal],
    };
  }
}
