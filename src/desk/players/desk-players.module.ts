import { Module } from '@nestjs/common';
import { PlayerActionsModule } from '../../accounts/desk/player-actions.module.js';
import { PlayerSearch } from '../../accounts/desk/player-search.js';
import { PlayerTimeline } from '../../accounts/desk/player-timeline.js';
import { TimelineSources } from '../../accounts/desk/timeline-sources.js';
import { AccessModule } from '../access/access.module.js';
import { PlayerDeskActs } from './player-desk-acts.js';
import { PlayerLive } from './player-live.js';
import { PlayersController } from './players.controller.js';
import { PlayersService } from './players.service.js';

@Module({
  imports: [AccessModule, PlayerActionsModule],
  controllers: [PlayersController],
  providers: [
    PlayerDeskActs,
    PlayerLive,
    PlayerSearch,
    PlayersService,
    PlayerTimeline,
    TimelineSources,
  ],
})
export class DeskPlayersModule {}
