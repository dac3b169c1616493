import { type DynamicModule, Module } from '@nestjs/common';
import { commandModules } from '../command-modules.js';
import type { Environment } from '../../../platform/config/environment.js';
import { CountersModule } from '../../../platform/counters/counters.module.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { PlayerActionsModule } from '../../actions/players/player-actions.module.js';
import { PlayerActionCommands } from './player-action-commands.js';
import { PlayerCommand } from './player.command.js';

@Module({})
export class PlayerCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: PlayerCommandModule,
      imports: [...commandModules(environment), CountersModule, AuditModule, PlayerActionsModule],
      providers: [PlayerActionCommands, PlayerCommand],
    };
  }
}
