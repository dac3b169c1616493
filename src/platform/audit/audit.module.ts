import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLog } from './audit-log.js';
import { AuditEvent } from './audit-event.entity.js';
import { EventLogContext } from './event-log.js';
import { LoginEvent } from './login-event.entity.js';
import { LoginEventLog } from './login-event-log.js';
import { MailEvent } from './mail-event.entity.js';
import { MailEventLog } from './mail-event-log.js';
import { RefusedRequest } from './refused-request.entity.js';
import { RefusedRequestLog } from './refused-request-log.js';
import { SettingsHistory } from './settings-history.js';
import { SqlEditRecorder } from './sql-edit-recorder.js';

/** Records for operators: sign-ins, mails, refused requests, and their own acts. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([LoginEvent, MailEvent, RefusedRequest, AuditEvent])],
  providers: [
    AuditLog,
    EventLogContext,
    LoginEventLog,
    MailEventLog,
    RefusedRequestLog,
    SettingsHistory,
    SqlEditRecorder,
  ],
  exports: [AuditLog, LoginEventLog, MailEventLog, RefusedRequestLog, SqlEditRecorder],
})
export class AuditModule {
  constructor(edits: SqlEditRecorder, settings: SettingsHistory, audit: AuditLog) {
    edits.register('settings', settings);
    edits.register('audit_event', {
      findEdits: () => audit.findUnlogged(),
      recordEdit: async (event) => audit.log(event),
    });
  }
}
