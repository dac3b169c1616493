import { Module } from '@nestjs/common';
import { CountersModule } from '../../../platform/counters/counters.module.js';
import { PlayerActionsModule } from '../../actions/players/player-actions.module.js';
import { PlayerActionCommands } from './player-action-commands.js';
import { PlayerCommand } from './player.command.js';

@Module({
  imports: [CountersModule, PlayerActionsModule],
  providers: [PlayerActionCommands, PlayerCommand],
})
export class PlayerCommandModule {}
