import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServerWithdrawalStats } from '../../actions/servers/server-withdrawal-stats.js';
import { ServerActions } from '../../actions/servers/server-actions.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { DeskServersController } from './desk-servers.controller.js';
import { DeskServersService } from './desk-servers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([GameServer])],
  controllers: [DeskServersController],
  providers: [DeskServersService, ServerWithdrawalStats, ServerActions],
})
export class DeskServersModule {}
