import { Module } from '@nestjs/common';
import { MailerModule, type MailerOptions } from '@nestjs-modules/mailer';
import { Environment } from '../config/environment.js';
import { MailCeiling } from './mail-ceiling.js';
import { MailTimes } from './mail-times.js';
import { MailQueue } from './mail-queue.js';
import { MailService } from './mail.service.js';
import { MailTemplates } from './mail-templates.js';
import { MailTemplatesModule } from './mail-templates.module.js';
import { SmtpTransport } from './smtp-transport.js';

@Module({
  imports: [
    MailTemplatesModule,
    MailerModule.forRootAsync({
      imports: [MailTemplatesModule],
      inject: [Environment, MailTemplates],
      useFactory: ({ SMTP_URL }: Environment, templates: MailTemplates): MailerOptions => ({
        transport: new SmtpTransport(SMTP_URL),
        defaults: { disableFileAccess: true, disableUrlAccess: true },
        // Not as `template.adapter`: then mailer warns at every start that preview-email is not installed.
        plugins: [{ step: 'compile', plugin: (mail, done) => templates.compile(mail, done) }],
      }),
    }),
  ],
  providers: [MailCeiling, MailQueue, MailService, MailTimes],
  exports: [MailQueue, MailService, MailTemplatesModule],
})
export class MailModule {}
