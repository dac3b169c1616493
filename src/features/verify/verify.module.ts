import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ChallengeService } from './challenge.service.js';
import { CodeStore, VerificationCode } from './code-store.js';
import { MailDomains } from './mail-domains.js';
import { SendLimits } from './send-limits.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [MailModule, TypeOrmModule.forFeature([VerificationCode])],
  controllers: [VerifyController],
  providers: [ChallengeService, SendLimits, CodeStore, MailDomains, VerifyService],
  exports: [MailDomains, VerifyService],
})
export class VerifyModule {}
