import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlayerBan } from '../../platform/auth/player-ban.entity.js';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { LinksModule } from '../links/links.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { AccountsController } from './accounts.controller.js';
import { BannedPlayerSignOutService } from './banned-player-sign-out.service.js';
import { CheckService } from './check.service.js';
import { CredentialsService } from './credentials.service.js';
import { GuessingAlert } from './guessing-alert.js';
import { LoginAddress, LoginAddressesService } from './login-addresses.service.js';
import { LoginThrottle, UnknownNameBuckets } from './login-throttle.js';
import { LoginService } from './login.service.js';
import { NewDeviceMail } from './new-device-mail.js';
import { PasswordRules } from './password-rules.js';
import { PasskeyLoginService } from './passkey-login.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { Passwords } from './passwords.js';
import { RegistrationCap, RegistrationDay, RegistrationLimit } from './registration-limits.js';
import { Promoter, RegistrationService } from './registration.service.js';
import { SecondFactorCheckService } from './second-factor-check.service.js';
import { PasskeyLoginController, SecondStepController } from './second-factor-login.controller.js';
import { SecondFactorLoginService } from './second-factor-login.service.js';

@Module({
  imports: [
    LinksModule,
    MailModule,
    SecondFactorModule,
    SessionsModule,
    ServersModule,
    VerifyModule,
    TypeOrmModule.forFeature([Promoter, LoginAddress, Player, PlayerBan, RegistrationDay]),
  ],
  controllers: [AccountsController, PasskeyLoginController, SecondStepController],
  providers: [
    BannedPlayerSignOutService,
    CheckService,
    CredentialsService,
    GuessingAlert,
    LoginAddressesService,
    LoginService,
    LoginThrottle,
    NewDeviceMail,
    PasswordRules,
    PasskeyLoginService,
    PasswordResetService,
    Passwords,
    RegistrationCap,
    RegistrationLimit,
    RegistrationService,
    SecondFactorCheckService,
    SecondFactorLoginService,
    UnknownNameBuckets,
  ],
  exports: [
    LoginAddressesService,
    LoginService,
    PasswordRules,
    Passwords,
    RegistrationCap,
    RegistrationLimit,
    SecondFactorCheckService,
    SecondFactorLoginService,
  ],
})
export class AccountsModule {}
