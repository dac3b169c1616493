import { Module } from '@nestjs/common';
import { AccessGuard } from './access.guard.js';
import { OperatorSessions } from './operator-sessions.js';

/** Who may use the desk: operators, their sessions and roles. */
@Module({
  providers: [AccessGuard, OperatorSessions],
  exports: [AccessGuard, OperatorSessions],
})
export class AccessModule {}
