import { DeskAuditModule } from './audit/desk-audit.module.js';
import { DeskChatModule } from './chat/desk-chat.module.js';
import { DeskDashboardModule } from './dashboard/desk-dashboard.module.js';
import { DeskOperatorsModule } from './operators/desk-operators.module.js';
import { DeskPlayersModule } from './players/desk-players.module.js';
import { DeskRequestsModule } from './requests/desk-requests.module.js';
import { DeskWithdrawalsModule } from './withdrawals/desk-withdrawals.module.js';
import { DeskServersModule } from './servers/desk-servers.module.js';

/** The pages of the desk. A list, not a module: Nest registers routes of deeper modules after the catch-all route. */
export const DESK_MODULES = [
  DeskAuditModule,
  DeskChatModule,
  DeskDashboardModule,
  DeskOperatorsModule,
  DeskPlayersModule,
  DeskRequestsModule,
  DeskWithdrawalsModule,
  DeskServersModule,
];
