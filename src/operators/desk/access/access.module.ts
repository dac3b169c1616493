import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessController } from './access.controller.js';
import { AccessGuard } from './access.guard.js';
import { DeskCookie } from './desk-cookie.js';
import { FirstOperator } from './first-operator.js';
import { KnownDevice } from './known-device.js';
import { OperatorActions } from '../../actions/operators/operator-actions.js';
import { OperatorSessions } from '../../actions/operators/operator-sessions.js';
import { OperatorSession } from '../../actions/operators/operator-session.entity.js';
import { Operator } from '../../actions/operators/operator.entity.js';
import { SameOriginMiddleware } from './same-origin.middleware.js';
import { SignInService } from './sign-in.service.js';
import { SignInAttempts } from './sign-in-attempts.js';

/** Who may use the desk: operators, their sessions and roles. */
@Module({
  imports: [TypeOrmModule.forFeature([Operator, OperatorSession])],
  controllers: [AccessController],
  providers: [
    AccessGuard,
    DeskCookie,
    FirstOperator,
    KnownDevice,
    OperatorActions,
    OperatorSessions,
    SameOriginMiddleware,
    SignInService,
    SignInAttempts,
  ],
  exports: [AccessGuard, FirstOperator, OperatorActions, OperatorSessions, SameOriginMiddleware],
})
export class AccessModule {}
