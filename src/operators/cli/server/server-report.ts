import { listTable, terminalTable } from '../terminal-table.js';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import { changesOf } from '../events/event-report.js';
import type { ServerWithdrawalCounts } from '../../actions/servers/server-withdrawal-stats.js';
import { serverAuditState } from '../../../features/servers/server-edits.js';
import type { GameServer } from '../../../features/servers/game-server.entity.js';

const NO_WITHDRAWALS: ServerWithdrawalCounts = { open: 0, unknown: 0, failedLastHour: 0 };

export function serverListReport(
  servers: GameServer[],
  counts: Map<number, ServerWithdrawalCounts>,
  problemOf: (server: GameServer) => string | undefined,
): string {
  const countsOf = ({ id }: GameServer) => counts.get(id) ?? NO_WITHDRAWALS;
  return listTable(servers, {
    id: (server) => server.id,
    name: (server) => server.name,
    status: (server) => server.status,
    address: (server) => `${server.address}:${server.port}`,
    'opens (UTC)': (server) => server.openAt,
    into: (server) => server.mergedInto,
    open: (server) => countsOf(server).open,
    unknown: (server) => countsOf(server).unknown,
    'failed 1h': (server) => countsOf(server).failedLastHour,
    problem: (server) => problemOf(server) ?? null,
  });
}

export function serverReport(
  server: GameServer,
  problem: string | undefined,
  open: number[],
  acts: AuditEvent[],
): string {
  const facts = terminalTable(
    ['server', String(server.id)],
    Object.entries(serverAuditState(server))
      .filter(([column]) => column !== 'id')
      .map(([column, value]) => [column, value === null ? null : `${value as string | number}`]),
  );
  const withdrawals =
    open.length === 0
      ? 'No withdrawal is open.'
      : `Open withdrawals: ${open.slice(0, 50).join(', ')}`;
  const history = listTable(
    acts,
    {
      'time (UTC)': (act) => act.createdAt,
      who: (act) => act.operator,
      act: ({ act }) => act,
      what: changesOf,
      note: (act) => act.note,
    },
    'No change is on record.',
  );
  return [
    facts,
    ...(problem ? [`Left out, or not to be merged: ${problem}`] : []),
    withdrawals,
    history,
  ].join('\n\n');
}
