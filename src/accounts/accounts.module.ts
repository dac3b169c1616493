import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../auth/player.entity.js';
import { ZonesModule } from '../zones/zones.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { AccountsController } from './accounts.controller.js';
import { Promoter } from './promoter.entity.js';
import { Promoters } from './promoters.js';
import { CheckModule } from './check.module.js';
import { KnownAddresses } from './known-addresses.js';
import { LoginAddress } from './login-address.entity.js';
import { LoginService } from './login.service.js';
import { LoginThrottle } from './login-throttle.js';
import { PasswordResetService } from './password-reset.service.js';
import { RegistrationCap } from './registration-cap.js';
import { RegistrationDay } from './registration-day.entity.js';
import { RegistrationService } from './registration.service.js';
import { UnknownNames } from './unknown-names.js';

@Module({
  imports: [
    CheckModule,
    ZonesModule,
    VerifyModule,
    TypeOrmModule.forFeature([Promoter, LoginAddress, Player, RegistrationDay]),
  ],
  controllers: [AccountsController],
  providers: [
    Promoters,
    KnownAddresses,
    LoginService,
    LoginThrottle,
    PasswordResetService,
    RegistrationCap,
    RegistrationService,
    UnknownNames,
  ],
  exports: [LoginService, RegistrationCap],
})
export class AccountsModule {}
