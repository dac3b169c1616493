import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditBook } from './audit-book.js';
import { AuditEvent } from './audit-event.entity.js';
import { LoginEvent } from './login-event.entity.js';
import { LoginJournal } from './login-journal.js';
import { MailEvent } from './mail-event.entity.js';
import { MailJournal } from './mail-journal.js';

/** What is written down for operators: sign-ins, mails, and their own acts. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([LoginEvent, MailEvent, AuditEvent])],
  providers: [AuditBook, LoginJournal, MailJournal],
  exports: [AuditBook, LoginJournal, MailJournal],
})
export class JournalModule {}
