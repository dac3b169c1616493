import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../../platform/auth/auth.module.js';
import { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { Session } from '../../../platform/auth/session.entity.js';
import { MailModule } from '../../../platform/mail/mail.module.js';
import { LoginAddress } from '../../../features/accounts/login-addresses.service.js';
import { LoginThrottle } from '../../../features/accounts/login-throttle.js';
import { PasswordRules } from '../../../features/accounts/password-rules.js';
import { Passwords } from '../../../features/accounts/passwords.js';
import { PlayerExport } from '../../../features/closing/export.service.js';
import { ServerVisit } from '../../../features/game/server-visits.js';
import { LinksService } from '../../../features/links/links.service.js';
import { PlayerLink } from '../../../features/links/player-link.entity.js';
import { MailboxUndo } from '../../../features/profile/mailbox-undo.service.js';
import { SecondFactorMail } from '../../../features/second-factor/second-factor-mail.js';
import {
  PlayerPasskey,
  PlayerTotp,
  RecoveryCode,
} from '../../../features/second-factor/second-factor.entities.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { CookieSecrets } from '../../../features/sessions/session-cookie.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import { WithdrawalActionsModule } from '../withdrawals/withdrawal-actions.module.js';
import { PlayerActions } from './player-actions.js';
import { PlayerBans } from './player-bans.js';
import { PlayerClosings } from './player-closings.js';
import { PlayerCredentials } from './player-credentials.js';
import { PlayerOverview } from './player-overview.js';
import { PlayerSearch } from './player-search.js';
import { PlayerTimeline } from './player-timeline.js';
import { SignInLocks } from './sign-in-locks.js';

const ACTIONS = [
  LinksService,
  PlayerActions,
  PlayerBans,
  PlayerClosings,
  PlayerCredentials,
  PlayerOverview,
  PlayerSearch,
  PlayerTimeline,
  SignInLocks,
];

/** This module imports no module with routes, or the desk would serve them. */
@Module({
  imports: [
    AuthModule,
    MailModule,
    WithdrawalActionsModule,
    TypeOrmModule.forFeature([
      GameServer,
      LoginAddress,
      MailboxUndo,
      Player,
      PlayerBan,
      PlayerLink,
      PlayerPasskey,
      PlayerTotp,
      RecoveryCode,
      ServerVisit,
      Session,
    ]),
  ],
  providers: [
    ...ACTIONS,
    CookieSecrets,
    LoginThrottle,
    PasswordRules,
    Passwords,
    PlayerExport,
    SecondFactorMail,
    SessionsService,
  ],
  exports: ACTIONS,
})
export class PlayerActionsModule {}
