import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { LinksModule } from '../links/links.module.js';
import { FactorState } from './factor-state.js';
import { LockedAccount } from './locked-account.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeyRegistration } from './passkey-registration.js';
import { PasskeysController } from './passkeys.controller.js';
import { Passkeys } from './passkeys.js';
import { PlayerPasskey } from './player-passkey.entity.js';
import { PlayerTotp } from './player-totp.entity.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecondFactorController } from './second-factor.controller.js';
import { SecondFactorMail } from './second-factor-mail.js';
import { SecondFactors } from './second-factors.js';
import { SecondStepTickets } from './second-step-tickets.js';
import { TotpService } from './totp.service.js';

@Module({
  imports: [
    LinksModule,
    MailModule,
    TypeOrmModule.forFeature([Player, PlayerPasskey, PlayerTotp, RecoveryCode]),
  ],
  controllers: [PasskeysController, SecondFactorController],
  providers: [
    FactorState,
    LockedAccount,
    PasskeyChallenges,
    PasskeyRegistration,
    Passkeys,
    RecoveryCodes,
    SecondFactorMail,
    SecondFactors,
    SecondStepTickets,
    TotpService,
  ],
  exports: [FactorState, Passkeys, SecondFactorMail, SecondFactors, SecondStepTickets],
})
export class SecondFactorModule {}
