import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../../platform/auth/player.entity.js';
import { commandModules } from '../command-modules.js';
import type { Environment } from '../../../platform/config/environment.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { WithdrawalActionsModule } from '../../actions/withdrawals/withdrawal-actions.module.js';
import { Reconciliation } from './reconciliation.js';
import { WithdrawalCommand } from './withdrawal.command.js';

@Module({})
export class WithdrawalCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: WithdrawalCommandModule,
      imports: [
        ...commandModules(environment),
        AuditModule,
        WithdrawalActionsModule,
        TypeOrmModule.forFeature([Player]),
      ],
      providers: [Reconciliation, WithdrawalCommand],
    };
  }
}
