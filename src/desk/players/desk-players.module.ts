import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GameSpelling } from '../../accounts/desk/game-spelling.js';
import { PlayerActs } from '../../accounts/desk/player-acts.js';
import { PlayerFinder } from '../../accounts/desk/player-finder.js';
import { PlayerLocks } from '../../accounts/desk/player-locks.js';
import { PlayerOverview } from '../../accounts/desk/player-overview.js';
import { PlayerSearch } from '../../accounts/desk/player-search.js';
import { PlayerTimeline } from '../../accounts/desk/player-timeline.js';
import { TimelineSources } from '../../accounts/desk/timeline-sources.js';
import { LoginAddress } from '../../accounts/login-address.entity.js';
import { LoginThrottle } from '../../accounts/login-throttle.js';
import { Passwords } from '../../accounts/passwords.js';
import { PlayerEdits } from '../../accounts/player-edits.js';
import { AuthModule } from '../../auth/auth.module.js';
import { LinksCoreModule } from '../../links/links-core.module.js';
import { SessionsCoreModule } from '../../sessions/sessions-core.module.js';
import { WithdrawalCoreModule } from '../../withdraw/withdrawal-core.module.js';
import { AccessModule } from '../access/access.module.js';
import { PlayerDeskActs } from './player-desk-acts.js';
import { PlayerLive } from './player-live.js';
import { PlayersController } from './players.controller.js';
import { PlayersService } from './players.service.js';

@Module({
  imports: [
    AccessModule,
    AuthModule,
    LinksCoreModule,
    SessionsCoreModule,
    WithdrawalCoreModule,
    TypeOrmModule.forFeature([LoginAddress]),
  ],
  controllers: [PlayersController],
  providers: [
    GameSpelling,
    LoginThrottle,
    Passwords,
    PlayerActs,
    PlayerDeskActs,
    PlayerEdits,
    PlayerFinder,
    PlayerLive,
    PlayerLocks,
    PlayerOverview,
    PlayerSearch,
    PlayersService,
    PlayerTimeline,
    TimelineSources,
  ],
})
export class DeskPlayersModule {}
