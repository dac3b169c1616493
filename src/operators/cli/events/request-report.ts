import { listTable } from '../terminal-table.js';
import type { RequestTrace } from '../../actions/events/request-search.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import { loginsReport } from './event-report.js';

/** Everything recorded about one request, and where to find the rest. */
export function requestReport({
  id,
  beganAt,
  logins,
  withdrawals,
  refusals,
}: RequestTrace): string {
  const parts = [
    ...(refusals.length > 0 ? [`Refused\n${refusalsTable(refusals)}`] : []),
    ...withdrawals.map(
      (one) =>
        `Withdrawal of player ${one.playerId}: gatehouse withdrawal show ${one.id}\n${withdrawalListReport([one])}`,
    ),
    ...(logins.length > 0 ? [`Sign-in\n${loginsReport(logins)}`] : []),
  ];
  const log = `Its lines in the log: journalctl -u 'gatehouse@*' -o cat | grep -F -e ${id}`;
  if (parts.length > 0) return [...parts, log].join('\n\n');
  const origin = beganAt
    ? `If the id is ours, it began at ${beganAt.toISOString()}.`
    : 'It is not an id of ours, such as 01M7F4G9N25PTY9WAWNAD2MEZB, but a caller may choose its own.';
  return `No table records it: it succeeded, repeated a failure within a minute, came from somebody not signed in, hit the rate limit, is too old, or never happened. ${origin} ${log}`;
}

function refusalsTable(refusals: RequestTrace['refusals']): string {
  return listTable(refusals, {
    'time (UTC)': (one) => one.createdAt,
    request: (one) => `${one.method} ${one.path}`,
    error: (one) => one.error,
    player: (one) => one.playerId,
    address: (one) => one.address,
  });
}
