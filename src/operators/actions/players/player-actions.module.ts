import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../../platform/auth/auth.module.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { Session } from '../../../platform/auth/session.entity.js';
import { ServerVisit } from '../../../features/game/server-visit.entity.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { LinksService } from '../../../features/links/links.service.js';
import { PlayerLink } from '../../../features/links/player-link.entity.js';
import { CookieSecrets } from '../../../features/sessions/cookie-secrets.js';
import { SessionStore } from '../../../features/sessions/session-store.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import { WithdrawalActionsModule } from '../withdrawals/withdrawal-actions.module.js';
import { LoginAddress } from '../../../features/accounts/login-address.entity.js';
import { LoginThrottle } from '../../../features/accounts/login-throttle.js';
import { Passwords } from '../../../features/accounts/passwords.js';
import { GameNameResolver } from './game-name-resolver.js';
import { PlayerActions } from './player-actions.js';
import { PlayerFinder } from './player-finder.js';
import { PlayerLocks } from './player-locks.js';
import { PlayerOverview } from './player-overview.js';

/** Players for the desk and the command line. It imports no module with routes: the desk would serve them. */
@Module({
  imports: [
    AuthModule,
    WithdrawalActionsModule,
    TypeOrmModule.forFeature([GameServer, LoginAddress, Player, PlayerLink, ServerVisit, Session]),
  ],
  providers: [
    CookieSecrets,
    GameNameResolver,
    LinksService,
    LoginThrottle,
    Passwords,
    PlayerActions,
    PlayerFinder,
    PlayerLocks,
    PlayerOverview,
    SessionStore,
    SessionsService,
  ],
  exports: [LinksService, PlayerActions, PlayerFinder, PlayerLocks, PlayerOverview],
})
export class PlayerActionsModule {}
