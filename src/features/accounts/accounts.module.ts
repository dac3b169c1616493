import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { PlayerBan } from '../../platform/auth/player-ban.entity.js';
import { LinksModule } from '../links/links.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { AccountsController } from './accounts.controller.js';
import { BanApplier } from './ban-applier.js';
import { Promoter } from './promoter.entity.js';
import { Promoters } from './promoters.js';
import { CheckService } from './check.service.js';
import { CredentialsLookup } from './credentials-lookup.js';
import { KnownAddresses } from './known-addresses.js';
import { LoginAddress } from './login-address.entity.js';
import { LoginService } from './login.service.js';
import { LoginThrottle } from './login-throttle.js';
import { SignInAddressRecorder } from './sign-in-address-recorder.js';
import { NewDeviceMail } from './new-device-mail.js';
import { PasswordResetService } from './password-reset.service.js';
import { Passwords } from './passwords.js';
import { RegistrationCap } from './registration-cap.js';
import { RegistrationLimit } from './registration-limit.js';
import { RegistrationDay } from './registration-day.entity.js';
import { RegistrationService } from './registration.service.js';
import { PasskeyLoginController } from './second-step/passkey-login.controller.js';
import { PasskeyLoginService } from './second-step/passkey-login.service.js';
import { SecondFactorCheck } from './second-step/second-factor-check.js';
import { SecondStepController } from './second-step/second-step.controller.js';
import { SecondStepService } from './second-step/second-step.service.js';
import { GuessingAlert } from './guessing-alert.js';
import { UnknownNameBuckets } from './unknown-name-buckets.js';

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
    BanApplier,
    CheckService,
    CredentialsLookup,
    Promoters,
    KnownAddresses,
    LoginService,
    LoginThrottle,
    SignInAddressRecorder,
    NewDeviceMail,
    PasswordResetService,
    Passwords,
    RegistrationCap,
    RegistrationLimit,
    RegistrationService,
    PasskeyLoginService,
    SecondFactorCheck,
    SecondStepService,
    GuessingAlert,
    UnknownNameBuckets,
  ],
  exports: [
    LoginService,
    SignInAddressRecorder,
    Passwords,
    RegistrationCap,
    RegistrationLimit,
    SecondFactorCheck,
    SecondStepService,
  ],
})
export class AccountsModule {}
