import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { LinksModule } from '../links/links.module.js';
import { FactorChanges } from './factor-changes.js';
import { FirstStepTickets } from './first-step-tickets.js';
import { PasskeyRegistration } from './passkey-registration.js';
import { PasskeysController } from './passkeys.controller.js';
import { Passkeys } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecondFactorMail } from './second-factor-mail.js';
import { SecondFactorController } from './second-factor.controller.js';
import { PlayerPasskey, PlayerTotp, RecoveryCode } from './second-factor.entities.js';
import { SecondFactors } from './second-factors.js';
import { AuthenticatorAppService } from './authenticator-app.service.js';

@Module({
  imports: [
    LinksModule,
    MailModule,
    TypeOrmModule.forFeature([Player, PlayerPasskey, PlayerTotp, RecoveryCode]),
  ],
  controllers: [PasskeysController, SecondFactorController],
  providers: [
    FactorChanges,
    FirstStepTickets,
    PasskeyRegistration,
    Passkeys,
    RecoveryCodes,
    SecondFactorMail,
    SecondFactors,
    AuthenticatorAppService,
  ],
  exports: [FactorChanges, FirstStepTickets, Passkeys, SecondFactorMail, SecondFactors],
})
export class SecondFactorModule {}
