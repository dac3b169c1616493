import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OperatorActions } from '../../actions/operators/operator-actions.js';
import { OperatorSessions } from '../../actions/operators/operator-sessions.js';
import { OperatorSession } from '../../actions/operators/operator-session.entity.js';
import { Operator } from '../../actions/operators/operator.entity.js';
import { OperatorCommand } from './operator.command.js';

@Module({
  imports: [TypeOrmModule.forFeature([Operator, OperatorSession])],
  providers: [OperatorActions, OperatorSessions, OperatorCommand],
})
export class OperatorCommandModule {}
