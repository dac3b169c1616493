import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GameServer } from '../../features/servers/game-server.entity.js';
import { ServerEdits } from '../../features/servers/server-edits.js';
import { RegistrationDay } from '../../features/accounts/registration-day.entity.js';
import { ChatMessage } from '../../features/chat/chat-message.entity.js';
import { ChatSearch } from '../actions/chat/chat-search.js';
import { EventSearch } from '../actions/events/event-search.js';
import { RequestSearch } from '../actions/events/request-search.js';
import { FourEyes } from '../actions/four-eyes/four-eyes.js';
import { PlayerActionsModule } from '../actions/players/player-actions.module.js';
import { PlayerSearch } from '../actions/players/player-search.js';
import { PlayerTimeline } from '../actions/players/player-timeline.js';
import { RegistrationsToday } from '../actions/players/registrations-today.js';
import { FourEyesServerChange } from '../actions/servers/four-eyes-server-change.js';
import { ServerActions } from '../actions/servers/server-actions.js';
import { ServerWithdrawalStats } from '../actions/servers/server-withdrawal-stats.js';
import { FourEyesSettlement } from '../actions/withdrawals/four-eyes-settlement.js';
import { WithdrawalActionsModule } from '../actions/withdrawals/withdrawal-actions.module.js';
import { WithdrawalBacklog } from '../actions/withdrawals/withdrawal-backlog.js';
import { AccessModule } from './access/access.module.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditService } from './audit/audit.service.js';
import { DeskChatController } from './chat/desk-chat.controller.js';
import { DeskChatService } from './chat/desk-chat.service.js';
import { CsvExport } from './csv-export.js';
import { DashboardActionItems } from './dashboard/dashboard-action-items.js';
import { DashboardInstances } from './dashboard/dashboard-instances.js';
import { DashboardMail } from './dashboard/dashboard-mail.js';
import { DashboardSeries } from './dashboard/dashboard-series.js';
import { DashboardServers } from './dashboard/dashboard-servers.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { DashboardService } from './dashboard/dashboard.service.js';
import { OperatorsController } from './operators/operators.controller.js';
import { OperatorsService } from './operators/operators.service.js';
import { PlayerDeskActions } from './players/player-desk-actions.js';
import { PlayersController } from './players/players.controller.js';
import { PlayersService } from './players/players.service.js';
import { RequestsController } from './requests/requests.controller.js';
import { RequestsService } from './requests/requests.service.js';
import { DeskServersController } from './servers/desk-servers.controller.js';
import { DeskServersService } from './servers/desk-servers.service.js';
import { WithdrawalsController } from './withdrawals/withdrawals.controller.js';
import { WithdrawalsService } from './withdrawals/withdrawals.service.js';

/** The pages of the desk. Not deeper: Nest registers routes of deeper modules after the catch-all route. */
@Module({
  imports: [
    AccessModule,
    PlayerActionsModule,
    WithdrawalActionsModule,
    TypeOrmModule.forFeature([ChatMessage, GameServer, RegistrationDay]),
  ],
  controllers: [
    AuditController,
    DashboardController,
    DeskChatController,
    DeskServersController,
    OperatorsController,
    PlayersController,
    RequestsController,
    WithdrawalsController,
  ],
  providers: [
    AuditService,
    ChatSearch,
    CsvExport,
    DashboardActionItems,
    DashboardInstances,
    DashboardMail,
    DashboardSeries,
    DashboardServers,
    DashboardService,
    DeskChatService,
    DeskServersService,
    EventSearch,
    FourEyes,
    FourEyesServerChange,
    FourEyesSettlement,
    OperatorsService,
    PlayerDeskActions,
    PlayerSearch,
    PlayerTimeline,
    PlayersService,
    RegistrationsToday,
    RequestSearch,
    RequestsService,
    ServerActions,
    ServerEdits,
    ServerWithdrawalStats,
    WithdrawalBacklog,
    WithdrawalsService,
  ],
})
export class PagesModule {}
