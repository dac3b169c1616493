import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../auth/auth.module.js';
import { Player } from '../../auth/player.entity.js';
import { Session } from '../../auth/session.entity.js';
import { LinksService } from '../../links/links.service.js';
import { PlayerLink } from '../../links/player-link.entity.js';
import { CookieSecrets } from '../../sessions/cookie-secrets.js';
import { SessionRows } from '../../sessions/session-rows.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { WithdrawalActionsModule } from '../../withdraw/desk/withdrawal-actions.module.js';
import { LoginAddress } from '../login-address.entity.js';
import { LoginThrottle } from '../login-throttle.js';
import { Passwords } from '../passwords.js';
import { PlayerEdits } from '../player-edits.js';
import { GameSpelling } from './game-spelling.js';
import { PlayerActs } from './player-acts.js';
import { PlayerFinder } from './player-finder.js';
import { PlayerLocks } from './player-locks.js';
import { PlayerOverview } from './player-overview.js';

/** Players for the desk and the command line. It imports no module with routes: the desk would serve them. */
@Module({
  imports: [
    AuthModule,
    WithdrawalActionsModule,
    TypeOrmModule.forFeature([LoginAddress, Player, PlayerLink, Session]),
  ],
  providers: [
    CookieSecrets,
    GameSpelling,
    LinksService,
    LoginThrottle,
    Passwords,
    PlayerActs,
    PlayerEdits,
    PlayerFinder,
    PlayerLocks,
    PlayerOverview,
    SessionRows,
    SessionsService,
  ],
  exports: [LinksService, PlayerActs, PlayerEdits, PlayerFinder, PlayerLocks, PlayerOverview],
})
export class PlayerActionsModule {}
