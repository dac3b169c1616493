import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../auth/player.entity.js';
import { commandModules } from '../../command/command-modules.js';
import type { Environment } from '../../config/environment.js';
import { JournalModule } from '../../journal/journal.module.js';
import { WithdrawalActs } from '../desk/withdrawal-acts.js';
import { WithdrawalSearch } from '../desk/withdrawal-search.js';
import { Reconciliation } from './reconciliation.js';
import { WithdrawalTerminal } from './withdrawal-terminal.js';
import { WithdrawalCoreModule } from '../withdrawal-core.module.js';

/** What the command line needs of the service: no routes, and no sweeper. */
@Module({})
export class WithdrawalCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: WithdrawalCommandModule,
      imports: [
        ...commandModules(environment),
        JournalModule,
        WithdrawalCoreModule,
        TypeOrmModule.forFeature([Player]),
      ],
      providers: [Reconciliation, WithdrawalActs, WithdrawalSearch, WithdrawalTerminal],
    };
  }
}
