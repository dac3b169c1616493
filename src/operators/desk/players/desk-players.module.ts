import { Module } from '@nestjs/common';
import { PlayerActionsModule } from '../../actions/players/player-actions.module.js';
import { PlayerSearch } from '../../actions/players/player-search.js';
import { PlayerTimeline } from '../../actions/players/player-timeline.js';
import { TimelineSources } from '../../actions/players/timeline-sources.js';
import { PlayerDeskActions } from './player-desk-actions.js';
import { PlayersController } from './players.controller.js';
import { PlayersService } from './players.service.js';

@Module({
  imports: [PlayerActionsModule],
  controllers: [PlayersController],
  providers: [PlayerDeskActions, PlayerSearch, PlayersService, PlayerTimeline, TimelineSources],
})
export class DeskPlayersModule {}
