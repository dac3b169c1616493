import type {
  WithdrawalDetails,
  WithdrawalEvidence,
  WithdrawalWithAccount,
} from '../../actions/withdrawals/withdrawal-search.js';
import type { WithdrawalOrphan } from '../../../features/withdraw/record/withdrawal-orphans.js';
import { isFinal } from '../../../features/withdraw/record/withdrawal-status.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { listTable, terminalTable } from '../terminal.js';

/** Omits the account column if the rows contain no account. */
export function withdrawalListReport(rows: Array<Withdrawal | WithdrawalWithAccount>): string {
  const withAccount = rows.some((row) => 'account' in row);
  return listTable(rows, {
    id: (row) => row.id,
    status: (row) => row.status,
    ...(withAccount && {
      account: (row: Withdrawal | WithdrawalWithAccount) => ('account' in row ? row.account : null),
    }),
    server: (row) => row.roleServerId,
    role: (row) => row.roleId,
    name: (row) => row.roleName,
    amount: (row) => row.amount,
    order_no: (row) => row.orderNo,
    'created (UTC)': (row) => row.createdAt,
    reason: (row) => row.reason,
  });
}

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
      ['request', row.requestId],
      ['asked for from', row.address],
      ['session', row.sessionId === null ? null : `${row.sessionId}`],
      ['idempotency key', row.idempotencyKey],
      ['created (UTC)', row.createdAt],
      ['sent (UTC)', row.sentAt],
      ['settled (UTC)', row.settledAt],
    ],
  );
  const timeline = listTable(events, {
    'time (UTC)': (event) => event.createdAt,
    from: (event) => event.fromStatus,
    to: (event) => event.toStatus,
    cause: (event) => event.cause,
    evidence: (event) => event.evidence,
  });
  const byHand = `The game server cannot be asked for it: ${problem}. Settle it by hand.`;
  const isByHand = problem !== undefined && !isFinal(row.status);
  return [facts, ...(isByHand ? [byHand] : []), timeline, ...nextStep(row)].join('\n\n');
}

function nextStep({ id, status, orderNo, roleServerId }: Withdrawal): string[] {
  if (status === 'unknown')
    return [
      `It is unknown whether the game deducted the amount; the role is locked. Look for ${orderNo} in the log of server ${roleServerId}, or compare the balances. If the game deducted it: gatehouse withdrawal settle ${id} succeeded. If it did not and no longer can: gatehouse withdrawal settle ${id} failed.`,
    ];
  return isFinal(status)
    ? []
    : ['An instance is working on it; within two minutes it is final or unknown.'];
}

const BALANCE_WORDS = { deducted: 'deducted', not_deducted: 'not deducted' };

/** Compares each role's balance before the order with its balance now, for withdrawals that are to be settled. */
export function evidenceReport(found: WithdrawalEvidence[]): string {
  return listTable(found, {
    id: ({ withdrawal }) => withdrawal.id,
    account: ({ withdrawal }) => withdrawal.account,
    role: ({ withdrawal }) => withdrawal.roleName,
    order_no: ({ withdrawal }) => withdrawal.orderNo,
    amount: ({ withdrawal }) => withdrawal.amount,
    'balance before': ({ withdrawal }) => withdrawal.balanceBefore,
    'balance now': ({ balanceNow }) => balanceNow,
    difference: ({ difference }) => difference,
    'as if': ({ difference, balanceSays }) =>
      balanceSays ? BALANCE_WORDS[balanceSays] : difference === null ? null : 'unclear',
    evidence: ({ event }) => event?.evidence ?? null,
  });
}

export function orphansReport(orphans: WithdrawalOrphan[]): string {
  const table = listTable(orphans, {
    order_no: (orphan) => orphan.orderNo,
    outcome: (orphan) => orphan.outcome,
    player: (orphan) => orphan.playerId,
    server: (orphan) => orphan.roleServerId,
    role: (orphan) => `${orphan.roleId} ${orphan.roleName}`,
    amount: (orphan) => Number(orphan.amount),
    'sent (UTC)': (orphan) => orphan.sentAt,
    'sent to': (orphan) => `${orphan.gmHost}:${orphan.gmPort}${orphan.gmPath}`,
    evidence: (orphan) => orphan.evidence,
  });
  return `${table}\n\nHandle each order together with the player, then run: UPDATE withdraw_orphan SET handled_at = UTC_TIMESTAMP(3) WHERE order_no = '…'`;
}
