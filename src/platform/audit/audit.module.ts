import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLog } from './audit-log.js';
import {
  AuditEvent,
  GameServerCall,
  LoginEvent,
  MailEvent,
  PlayerChange,
  RefusedRequest,
} from './audit.entity.js';
import { EventQueues } from './event-queue.js';
import { LoginEventLog } from './login-event-log.js';
import { MailEventLog } from './mail-event-log.js';
import { RequestEventLog } from './request-event-log.js';
import { SettingsHistory } from './settings-history.js';
import { SqlEditsService } from './sql-edits.service.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([
      LoginEvent,
      MailEvent,
      PlayerChange,
      RefusedRequest,
      GameServerCall,
      AuditEvent,
    ]),
  ],
  providers: [
    AuditLog,
    EventQueues,
    LoginEventLog,
    MailEventLog,
    RequestEventLog,
    SettingsHistory,
    SqlEditsService,
  ],
  exports: [AuditLog, LoginEventLog, MailEventLog, RequestEventLog, SqlEditsService],
})
export class AuditModule {
  constructor(edits: SqlEditsService, settings: SettingsHistory, audit: AuditLog) {
    edits.register('settings', settings);
    edits.register('audit_event', {
      findEdits: () => audit.findUnlogged(),
      recordEdit: async (event) => audit.log(event),
    });
  }
}
