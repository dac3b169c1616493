import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServerWithdrawalStats } from '../../actions/servers/server-withdrawal-stats.js';
import { ServerActions } from '../../actions/servers/server-actions.js';
import { ApprovalRequest } from '../../actions/four-eyes/approval-request.entity.js';
import { FourEyes } from '../../actions/four-eyes/four-eyes.js';
import { FourEyesServerChange } from '../../actions/servers/four-eyes-server-change.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { DeskServersController } from './desk-servers.controller.js';
import { DeskServersService } from './desk-servers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([GameServer, ApprovalRequest])],
  controllers: [DeskServersController],
  providers: [
    DeskServersService,
    FourEyes,
    FourEyesServerChange,
    ServerWithdrawalStats,
    ServerActions,
  ],
})
export class DeskServersModule {}
