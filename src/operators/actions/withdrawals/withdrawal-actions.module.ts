import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { ServersService } from '../../../features/servers/servers.service.js';
import {
  WITHDRAWAL_ENTITIES,
  WITHDRAWAL_PROVIDERS,
} from '../../../features/withdraw/withdrawal-providers.js';
import { ApprovalRequest } from '../four-eyes/approval-request.entity.js';
import { WithdrawalActions } from './withdrawal-actions.js';
import { WithdrawalSearch } from './withdrawal-search.js';

/** Withdrawals for the desk and the command line. Not `WithdrawModule`: that serves players and runs the sweeper. */
@Module({
  imports: [TypeOrmModule.forFeature([...WITHDRAWAL_ENTITIES, ApprovalRequest, GameServer])],
  providers: [...WITHDRAWAL_PROVIDERS, WithdrawalActions, WithdrawalSearch, ServersService],
  exports: [...WITHDRAWAL_PROVIDERS, WithdrawalActions, WithdrawalSearch, TypeOrmModule],
})
export class WithdrawalActionsModule {}
