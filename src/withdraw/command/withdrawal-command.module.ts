import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../auth/player.entity.js';
import { ConfigModule } from '../../config/config.module.js';
import type { Environment } from '../../config/environment.js';
import { DatabaseModule } from '../../database/database.module.js';
import { JournalModule } from '../../journal/journal.module.js';
import { MetricsModule } from '../../metrics/metrics.module.js';
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
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule.withoutMigrations(),
        JournalModule,
        // WithdrawalSearch reads it, and nothing else here brings it in.
        TypeOrmModule.forFeature([Player]),
        WithdrawalCoreModule,
      ],
      providers: [Reconciliation, WithdrawalActs, WithdrawalSearch, WithdrawalTerminal],
    };
  }
}
