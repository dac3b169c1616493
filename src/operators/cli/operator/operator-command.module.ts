import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigModule } from '../../../platform/config/config.module.js';
import type { Environment } from '../../../platform/config/environment.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { OperatorActions } from '../../actions/operators/operator-actions.js';
import { OperatorSessions } from '../../actions/operators/operator-sessions.js';
import { OperatorSession } from '../../actions/operators/operator-session.entity.js';
import { Operator } from '../../actions/operators/operator.entity.js';
import { OperatorCommand } from './operator.command.js';

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
      providers: [OperatorActions, OperatorSessions, OperatorCommand],
    };
  }
}
