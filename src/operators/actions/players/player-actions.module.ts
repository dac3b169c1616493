import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../../platform/auth/auth.module.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import { Session } from '../../../platform/auth/session.entity.js';
import { PlayerExport } from '../../../features/closing/player-export.js';
import { ServerVisit } from '../../../features/game/server-visit.entity.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { LinksService } from '../../../features/links/links.service.js';
import { MailboxUndo } from '../../../features/profile/mailbox-undo.entity.js';
import { PlayerLink } from '../../../features/links/player-link.entity.js';
import { CookieSecrets } from '../../../features/sessions/cookie-secrets.js';
import { SessionStore } from '../../../features/sessions/session-store.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import { WithdrawalActionsModule } from '../withdrawals/withdrawal-actions.module.js';
import { LoginAddress } from '../../../features/accounts/login-address.entity.js';
import { LoginThrottle } from '../../../features/accounts/login-throttle.js';
import { Passwords } from '../../../features/accounts/passwords.js';
import { PlayerPasskey } from '../../../features/second-factor/player-passkey.entity.js';
import { PlayerTotp } from '../../../features/second-factor/player-totp.entity.js';
import { RecoveryCode } from '../../../features/second-factor/recovery-code.entity.js';
import { SecondFactorMail } from '../../../features/second-factor/second-factor-mail.js';
import { MailModule } from '../../../platform/mail/mail.module.js';
import { GameNameResolver } from './game-name-resolver.js';
import { PlayerActions } from './player-actions.js';
import { PlayerBans } from './player-bans.js';
import { PlayerClosings } from './player-closings.js';
import { PlayerFinder } from './player-finder.js';
import { PlayerLocks } from './player-locks.js';
import { PlayerOverview } from './player-overview.js';
import { PlayerSessionEnd } from './player-session-end.js';
import { SecondFactorReset } from './second-factor-reset.js';

const ACTIONS = [
  LinksService,
  PlayerActions,
  PlayerBans,
  PlayerClosings,
  PlayerFinder,
  PlayerLocks,
  PlayerOverview,
  PlayerSessionEnd,
  SecondFactorReset,
];

/** Players for the desk and the command line. It imports no module with routes: the desk would serve them. */
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
    GameNameResolver,
    LoginThrottle,
    Passwords,
    PlayerExport,
    SecondFactorMail,
    SessionStore,
    SessionsService,
  ],
  exports: ACTIONS,
})
export class PlayerActionsModule {}
