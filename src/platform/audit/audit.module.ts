import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLog } from './audit-log.js';
import { AuditEvent } from './audit-event.entity.js';
import { LoginEvent } from './login-event.entity.js';
import { LoginEventLog } from './login-event-log.js';
import { MailEvent } from './mail-event.entity.js';
import { MailEventLog } from './mail-event-log.js';
import { SqlEditRecorder } from './sql-edit-recorder.js';

/** What is written down for operators: sign-ins, mails, and their own acts. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([LoginEvent, MailEvent, AuditEvent])],
  providers: [AuditLog, LoginEventLog, MailEventLog, SqlEditRecorder],
  exports: [AuditLog, LoginEventLog, MailEventLog, SqlEditRecorder],
})
export class AuditModule {}
