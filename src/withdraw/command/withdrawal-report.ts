import type { WithdrawalEvent } from '../record/withdrawal-event.entity.js';
import type { WithdrawalOrphan } from '../record/withdrawal-orphan.entity.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';
import { terminalTable } from '../../command/terminal-table.js';

export function listReport(rows: Withdrawal[]): string {
  return terminalTable(
    ['id', 'status', 'zone', 'role', 'name', 'amount', 'order_no', 'created (UTC)', 'reason'],
    rows.map((row) => [
      row.id,
      row.status,
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

/** One withdrawal with its events. `problem` says why its game server cannot be asked. */
export function storyReport(
  row: Withdrawal,
  player: { account: string; game_account: string | null } | undefined,
  problem: string | undefined,
  events: WithdrawalEvent[],
): string {
  const facts = terminalTable(
    ['withdrawal', String(row.id)],
    [
      ['status', row.status],
      ['reason', row.reason],
      ['account', player?.account ?? null],
      ['account in the game', player?.game_account ?? player?.account ?? null],
      [
        'zone',
        row.zoneId === row.serverId
          ? `${row.zoneId}`
          : `${row.serverId}, merged into ${row.zoneId}`,
      ],
      ['role', `${row.roleId} ${row.roleName}`],
      ['amount', `${row.amount}`],
      ['balance before', row.balanceBefore === null ? null : `${row.balanceBefore}`],
      ['order_no', row.orderNo],
      ['sent to', row.gmHost === null ? null : `${row.gmHost}:${row.gmPort}${row.gmPath}`],
      ['idempotency key', row.idempotencyKey],
      ['created (UTC)', row.createdAt],
      ['sent (UTC)', row.sentAt],
      ['settled (UTC)', row.settledAt],
    ],
  );
  const story = terminalTable(
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
  return [facts, ...(problem === undefined ? [] : [byHand]), story].join('\n\n');
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
