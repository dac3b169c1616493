import type { ServerWithdrawalCounts } from '../../actions/servers/server-withdrawal-stats.js';
import { serverAuditState } from '../../../features/servers/server-edits.js';
import { validateServer } from '../../../features/servers/server-validation.js';
import type { GameServer } from '../../../features/servers/game-server.entity.js';
import { toServerView } from '../../../features/servers/server.view.js';
import type { ApprovalRequest } from '../../actions/four-eyes/approval-request.entity.js';
import type {
  PublicServer,
  ServerChangeResult,
  ServerListItem,
  ServerRequest,
} from '../responses/servers.js';

const NO_OPEN_WORK: ServerWithdrawalCounts = { open: 0, unknown: 0, failedLastHour: 0 };

/** As the players' list shows it; null if it is left out. */
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

export function toChangeResult(server: GameServer | undefined): ServerChangeResult {
  return server ? { row: serverAuditState(server) } : { row: null, waits_for_second: true };
}

export function toRequestView(request: ApprovalRequest, servers: GameServer[]): ServerRequest {
  const { targetId: id, proposal, operator: by, note, createdAt: at } = request;
  const fields = JSON.parse(proposal) as ServerRequest['fields'];
  return { id, is_new: !servers.some((server) => server.id === id), fields, by, note, at };
}
