import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { ServersService } from '../../../features/servers/servers.service.js';
import {
  WITHDRAWAL_ENTITIES,
  WITHDRAWAL_PROVIDERS,
} from '../../../features/withdraw/withdrawal-providers.js';
import { ApprovalRequest } from '../four-eyes/four-eyes.js';
import { WithdrawalActions } from './withdrawal-actions.js';
import { WithdrawalSearch } from './withdrawal-search.js';

/** Provides withdrawal actions without `WithdrawModule`, which would serve players and run the sweeper. */
@Module({
  imports: [TypeOrmModule.forFeature([...WITHDRAWAL_ENTITIES, ApprovalRequest, GameServer])],
  providers: [...WITHDRAWAL_PROVIDERS, WithdrawalActions, WithdrawalSearch, ServersService],
  exports: [...WITHDRAWAL_PROVIDERS, WithdrawalActions, WithdrawalSearch, TypeOrmModule],
})
export class WithdrawalActionsModule {}
