import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../auth/player.entity.js';
import { commandModules } from '../../command/command-modules.js';
import type { Environment } from '../../config/environment.js';
import { JournalModule } from '../../journal/journal.module.js';
import { WithdrawalActionsModule } from '../desk/withdrawal-actions.module.js';
import { Reconciliation } from './reconciliation.js';
import { WithdrawalTerminal } from './withdrawal-terminal.js';

@Module({})
export class WithdrawalCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: WithdrawalCommandModule,
      imports: [
        ...commandModules(environment),
        JournalModule,
        WithdrawalActionsModule,
        TypeOrmModule.forFeature([Player]),
      ],
      providers: [Reconciliation, WithdrawalTerminal],
    };
  }
}
