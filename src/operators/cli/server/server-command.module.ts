import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { commandModules } from '../command-modules.js';
import type { Environment } from '../../../platform/config/environment.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { ServerWithdrawalStats } from '../../actions/servers/server-withdrawal-stats.js';
import { ServerActions } from '../../actions/servers/server-actions.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { ServerCommand } from './server.command.js';

@Module({})
export class ServerCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: ServerCommandModule,
      imports: [
        ...commandModules(environment),
        AuditModule,
        TypeOrmModule.forFeature([GameServer, Withdrawal]),
      ],
      providers: [ServerWithdrawalStats, ServerActions, ServerCommand],
    };
  }
}
