import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import { PlayerBans } from '../../actions/players/player-bans.js';
import { RegistrationsToday } from '../../actions/players/registrations-today.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { WithdrawalBacklog } from '../../actions/withdrawals/withdrawal-backlog.js';
import { WithdrawalActionsModule } from '../../actions/withdrawals/withdrawal-actions.module.js';
import { ServerWithdrawalStats } from '../../actions/servers/server-withdrawal-stats.js';
import { RegistrationDay } from '../../../features/accounts/registration-day.entity.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardInstances } from './dashboard-instances.js';
import { DashboardMail } from './dashboard-mail.js';
import { DashboardActionItems } from './dashboard-action-items.js';
import { DashboardSeries } from './dashboard-series.js';
import { DashboardService } from './dashboard.service.js';
import { DashboardServers } from './dashboard-servers.js';

@Module({
  imports: [
    WithdrawalActionsModule,
    TypeOrmModule.forFeature([GameServer, PlayerBan, RegistrationDay]),
  ],
  controllers: [DashboardController],
  providers: [
    EventSearch,
    DashboardInstances,
    DashboardMail,
    DashboardActionItems,
    DashboardSeries,
    DashboardService,
    DashboardServers,
    ServerWithdrawalStats,
    PlayerBans,
    RegistrationsToday,
    WithdrawalBacklog,
  ],
})
export class DeskDashboardModule {}
