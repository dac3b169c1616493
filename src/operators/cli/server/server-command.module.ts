import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServerWithdrawalStats } from '../../actions/servers/server-withdrawal-stats.js';
import { ServerEdits } from '../../../features/servers/server-edits.js';
import { ServerActions } from '../../actions/servers/server-actions.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { ServerCommand } from './server.command.js';

@Module({
  imports: [TypeOrmModule.forFeature([GameServer, Withdrawal])],
  providers: [ServerWithdrawalStats, ServerEdits, ServerActions, ServerCommand],
})
export class ServerCommandModule {}
