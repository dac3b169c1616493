import { Module } from '@nestjs/common';
import { MailTemplates } from './mail-templates.js';

@Module({ providers: [MailTemplates], exports: [MailTemplates] })
export class MailTemplatesModule {}
