import type { FoundWithdrawal, Story } from '../desk/withdrawal-search.js';
import type { WithdrawalOrphan } from '../record/withdrawal-orphan.entity.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';
import { terminalTable } from '../../command/terminal-table.js';

/** Without the account where it is the same for all. */
export function listReport(rows: Array<Withdrawal | FoundWithdrawal>): string {
  const withAccount = rows.some((row) => 'account' in row);
  return terminalTable(
    [
      'id',
      'status',
      ...(withAccount ? ['account'] : []),
      'zone',
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
      row.zoneId,
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
export function storyReport(story: Story): string {
  const { withdrawal: row, player, problem, events, balanceNow } = story;
  const facts = terminalTable(
    ['withdrawal', String(row.id)],
    [
      ['status', row.status],
      ['reason', row.reason],
      ['account', player?.account ?? null],
      ['account in the game', player?.gameAccount ?? player?.account ?? null],
      [
        'zone',
        row.zoneId === row.serverId
          ? `${row.zoneId}`
          : `${row.serverId}, merged into ${row.zoneId}`,
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
      'zone',
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
      orphan.zoneId,
      `${orphan.roleId} ${orphan.roleName}`,
      Number(orphan.amount),
      orphan.sentAt,
      `${orphan.gmHost}:${orphan.gmPort}${orphan.gmPath}`,
      orphan.evidence,
    ]),
  );
  return `${table}\n\nSee to each with the player, then: UPDATE withdraw_orphan SET handled_at = UTC_TIMESTAMP(3) WHERE order_no = '…'`;
}
