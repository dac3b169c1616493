import { terminalTable } from '../terminal-table.js';
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
  if (servers.length === 0) return 'There are none.';
  return terminalTable(
    [
      'id',
      'name',
      'status',
      'address',
      'opens (UTC)',
      'into',
      'open',
      'unknown',
      'failed 1h',
      'problem',
    ],
    servers.map((server) => {
      const { open, unknown, failedLastHour } = counts.get(server.id) ?? NO_WITHDRAWALS;
      return [
        server.id,
        server.name,
        server.status,
        `${server.address}:${server.port}`,
        server.openAt,
        server.mergedInto,
        open,
        unknown,
        failedLastHour,
        problemOf(server) ?? null,
      ];
    }),
  );
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
  const history =
    acts.length === 0
      ? 'Nothing was changed since it is written down.'
      : terminalTable(
          ['time (UTC)', 'who', 'act', 'what', 'note'],
          acts.map((act) => [act.createdAt, act.operator, act.act, changesOf(act), act.note]),
        );
  return [
    facts,
    ...(problem ? [`Left out, or not to be merged: ${problem}`] : []),
    withdrawals,
    history,
  ].join('\n\n');
}
