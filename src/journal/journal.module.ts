import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditBook } from './audit-book.js';
import { AuditEvent } from './audit-event.entity.js';
import { LoginEvent } from './login-event.entity.js';
import { LoginJournal } from './login-journal.js';

/** What is written down for operators: sign-ins, and their own acts. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([LoginEvent, AuditEvent])],
  providers: [AuditBook, LoginJournal],
  exports: [AuditBook, LoginJournal],
})
export class JournalModule {}
