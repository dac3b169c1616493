import type {
  WithdrawalWithAccount,
  WithdrawalDetails,
} from '../../actions/withdrawals/withdrawal-search.js';
import type { WithdrawalOrphan } from '../../../features/withdraw/record/withdrawal-orphan.entity.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { terminalTable } from '../terminal-table.js';

/** Omits the account if it is the same for all. */
export function withdrawalListReport(rows: Array<Withdrawal | WithdrawalWithAccount>): string {
  const withAccount = rows.some((row) => 'account' in row);
  return terminalTable(
    [
      'id',
      'status',
      ...(withAccount ? ['account'] : []),
      'server',
      'role',
      'name',
      'amount',
      'order_no',
      'created (UTC)',
      'reason',
    ],
    rows.map((row) => [
      row.id,
      row.status,
      ...('account' in row ? [row.account] : []),
      row.roleServerId,
      row.roleId,
      row.roleName,
      row.amount,
      row.orderNo,
      row.createdAt,
      row.reason,
    ]),
  );
}

/** One withdrawal with its events. */
export function withdrawalReport(details: WithdrawalDetails): string {
  const { withdrawal: row, player, problem, events, balanceNow } = details;
  const facts = terminalTable(
    ['withdrawal', String(row.id)],
    [
      ['status', row.status],
      ['reason', row.reason],
      ['account', player?.account ?? null],
      ['account in the game', player?.gameAccount ?? player?.account ?? null],
      [
        'server',
        row.roleServerId === row.serverId
          ? `${row.roleServerId}`
          : `${row.serverId}, merged into ${row.roleServerId}`,
      ],
      ['role', `${row.roleId} ${row.roleName}`],
      ['amount', `${row.amount}`],
      ['balance before', row.balanceBefore === null ? null : `${row.balanceBefore}`],
      ['balance now', balanceNow === null ? 'cannot be read' : `${balanceNow}`],
      ['order_no', row.orderNo],
      ['sent to', row.gmHost === null ? null : `${row.gmHost}:${row.gmPort}${row.gmPath}`],
      ['idempotency key', row.idempotencyKey],
      ['created (UTC)', row.createdAt],
      ['sent (UTC)', row.sentAt],
      ['settled (UTC)', row.settledAt],
    ],
  );
  const timeline = terminalTable(
    ['time (UTC)', 'from', 'to', 'cause', 'evidence'],
    events.map((event) => [
      event.createdAt,
      event.fromStatus,
      event.toStatus,
      event.cause,
      event.evidence,
    ]),
  );
  const byHand = `The game server cannot be asked for it: ${problem}. Settle it by hand.`;
  return [facts, ...(problem === undefined ? [] : [byHand]), timeline].join('\n\n');
}

export function orphansReport(orphans: WithdrawalOrphan[]): string {
  const table = terminalTable(
    [
      'order_no',
      'outcome',
      'player',
      'server',
      'role',
      'amount',
      'sent (UTC)',
      'sent to',
      'evidence',
    ],
    orphans.map((orphan) => [
      orphan.orderNo,
      orphan.outcome,
      orphan.playerId,
      orphan.roleServerId,
      `${orphan.roleId} ${orphan.roleName}`,
      Number(orphan.amount),
      orphan.sentAt,
      `${orphan.gmHost}:${orphan.gmPort}${orphan.gmPath}`,
      orphan.evidence,
    ]),
  );
  return `${table}\n\nSee to each with the player, then: UPDATE withdraw_orphan SET handled_at = UTC_TIMESTAMP(3) WHERE order_no = '…'`;
}
