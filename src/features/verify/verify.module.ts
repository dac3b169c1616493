import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../platform/mail/mail.module.js';
import { SendLimits } from './send-limits.js';
import { CodeStore } from './code-store.js';
import { VerifyController } from './verify.controller.js';
import { VerificationCode } from './verification-code.entity.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [MailModule, TypeOrmModule.forFeature([VerificationCode])],
  controllers: [VerifyController],
  providers: [SendLimits, CodeStore, VerifyService],
  exports: [VerifyService],
})
export class VerifyModule {}
