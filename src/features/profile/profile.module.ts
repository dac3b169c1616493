import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LinksModule } from '../links/links.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { EmailChangeService } from './email-change.service.js';
import { MailboxUndo, MailboxUndoService } from './mailbox-undo.service.js';
import { OwnAccount } from './own-account.js';
import { PasswordChangeService } from './password-change.service.js';
import { ProfileController } from './profile.controller.js';
import { ProfileService } from './profile.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([MailboxUndo, Player]),
    AccountsModule,
    LinksModule,
    MailModule,
    SecondFactorModule,
    SessionsModule,
    VerifyModule,
  ],
  controllers: [ProfileController],
  providers: [
    EmailChangeService,
    MailboxUndoService,
    OwnAccount,
    PasswordChangeService,
    ProfileService,
  ],
  exports: [OwnAccount],
})
export class ProfileModule {}
