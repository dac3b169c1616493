import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../auth/player.entity.js';
import { LinksModule } from '../links/links.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { AccountsController } from './accounts.controller.js';
import { Promoter } from './promoter.entity.js';
import { Promoters } from './promoters.js';
import { CheckService } from './check.service.js';
import { CredentialsLookup } from './credentials-lookup.js';
import { KnownAddresses } from './known-addresses.js';
import { LoginAddress } from './login-address.entity.js';
import { LoginService } from './login.service.js';
import { LoginThrottle } from './login-throttle.js';
import { NewAddresses } from './new-addresses.js';
import { NewDeviceMail } from './new-device-mail.js';
import { PasswordResetService } from './password-reset.service.js';
import { Passwords } from './passwords.js';
import { PlayerEdits } from './player-edits.js';
import { RegistrationCap } from './registration-cap.js';
import { RegistrationLimit } from './registration-limit.js';
import { RegistrationDay } from './registration-day.entity.js';
import { RegistrationService } from './registration.service.js';
import { ResetNotice } from './reset-notice.js';
import { SiegeAlarm } from './siege-alarm.js';
import { UnknownNames } from './unknown-names.js';

@Module({
  imports: [
    LinksModule,
    MailModule,
    SessionsModule,
    ZonesModule,
    VerifyModule,
    TypeOrmModule.forFeature([Promoter, LoginAddress, Player, RegistrationDay]),
  ],
  controllers: [AccountsController],
  providers: [
    CheckService,
    CredentialsLookup,
    Promoters,
    KnownAddresses,
    LoginService,
    LoginThrottle,
    NewAddresses,
    NewDeviceMail,
    PasswordResetService,
    Passwords,
    PlayerEdits,
    RegistrationCap,
    RegistrationLimit,
    RegistrationService,
    ResetNotice,
    SiegeAlarm,
    UnknownNames,
  ],
  exports: [LoginService, NewAddresses, Passwords, RegistrationCap, RegistrationLimit],
})
export class AccountsModule {}
