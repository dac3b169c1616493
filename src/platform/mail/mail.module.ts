import { Module } from '@nestjs/common';
import { MailerModule, type MailerOptions } from '@nestjs-modules/mailer';
import { Environment } from '../config/environment.js';
import { MailRateLimit } from './mail-rate-limit.js';
import { MailMetrics } from './mail-metrics.js';
import { MailQueue } from './mail-queue.js';
import { MailService } from './mail.service.js';
import { MailTemplates } from './mail-templates.js';
import { SmtpTransport } from './smtp-transport.js';

@Module({
  imports: [
    MailerModule.forRootAsync({
      imports: [],
      inject: [Environment],
      useFactory: ({ SMTP_URL }: Environment): MailerOptions => ({
        transport: new SmtpTransport(SMTP_URL),
        defaults: { disableFileAccess: true, disableUrlAccess: true },
      }),
    }),
  ],
  providers: [MailRateLimit, MailQueue, MailService, MailTemplates, MailMetrics],
  exports: [MailRateLimit, MailService, MailTemplates],
})
export class MailModule {}
