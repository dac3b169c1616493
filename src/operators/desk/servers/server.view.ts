import type { ServerWithdrawalCounts } from '../../actions/servers/server-withdrawal-stats.js';
import { serverAuditState } from '../../../features/servers/server-edits.js';
import { validateServer } from '../../../features/servers/server-validation.js';
import type { GameServer } from '../../../features/servers/game-server.entity.js';
import { toServerView } from '../../../features/servers/server.view.js';
import type { PublicServer, ServerListItem } from '../responses/servers.js';

const NO_OPEN_WORK: ServerWithdrawalCounts = { open: 0, unknown: 0, failedLastHour: 0 };

/** As the players' list shows it; null where it is left out. */
export function toPublicServerView(server: GameServer): PublicServer | null {
  return server.status === 'closed' || validateServer(server) !== undefined
    ? null
    : toServerView(server);
}

export function toRowView(
  server: GameServer,
  problem: string | undefined,
  { open, unknown, failedLastHour }: ServerWithdrawalCounts = NO_OPEN_WORK,
): ServerListItem {
  return {
    row: serverAuditState(server),
    problem: problem ?? null,
    seen: toPublicServerView(server),
    work: { open, unknown, failed_last_hour: failedLastHour },
  };
}
