import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../mail/mail.module.js';
import { SendLimits } from './send-limits.js';
import { StoredCodes } from './stored-codes.js';
import { VerifyController } from './verify.controller.js';
import { Verify } from './verify.entity.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [MailModule, TypeOrmModule.forFeature([Verify])],
  controllers: [VerifyController],
  providers: [SendLimits, StoredCodes, VerifyService],
  exports: [VerifyService],
})
export class VerifyModule {}
