import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsController } from './accounts.controller.js';
import { Agent } from './agent.entity.js';
import { CredentialsLookup } from './credentials.js';
import { KnownAddresses } from './known-addresses.js';
import { LoginAddress } from './login-address.entity.js';
import { LoginService } from './login.service.js';
import { LoginThrottle } from './login-throttle.js';
import { Passwords } from './passwords.js';
import { RegistrationCap } from './registration-cap.js';
import { RegistrationDay } from './registration-day.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Agent, LoginAddress, RegistrationDay])],
  controllers: [AccountsController],
  providers: [
    CredentialsLookup,
    KnownAddresses,
    LoginService,
    LoginThrottle,
    Passwords,
    RegistrationCap,
  ],
  exports: [LoginService, RegistrationCap],
})
export class AccountsModule {}
