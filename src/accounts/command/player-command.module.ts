import { type DynamicModule, Module } from '@nestjs/common';
import { commandModules } from '../../command/command-modules.js';
import type { Environment } from '../../config/environment.js';
import { CountersModule } from '../../counters/counters.module.js';
import { JournalModule } from '../../journal/journal.module.js';
import { PlayerActionsModule } from '../desk/player-actions.module.js';
import { PlayerActing } from './player-acting.js';
import { PlayerTerminal } from './player-terminal.js';

@Module({})
export class PlayerCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: PlayerCommandModule,
      imports: [...commandModules(environment), CountersModule, JournalModule, PlayerActionsModule],
      providers: [PlayerActing, PlayerTerminal],
    };
  }
}
