import { isFinal } from '../../../features/withdraw/record/withdrawal-status.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { listTable } from '../terminal-table.js';
import type { Comparison, ServerTotal } from './reconciliation.js';
import type { RoleBalance, RoleBalances } from './role-balances.js';
import { withdrawalListReport } from './withdrawal-report.js';

const NOT_ASKED = 'The game servers cannot be asked (gm_query_op is not set)';
const BALANCES_AGREE =
  ', but each balance now is the balance before minus the amount withdrawn since: the balances agree.';
const BALANCES_DIFFER =
  'These balances differ. The player earned or spent since, or an order was settled wrongly: look up the orders in the log of the game server, and reopen a wrong one.';
const BALANCES_UNREAD = 'The balances of these roles are not known:';
const MAY_BE_DEDUCTED =
  'Settled as failed. Look them up in the log of the game server, and reopen what it deducted:';
const SETTLE_FIRST = 'Settle these first; gatehouse withdrawal show <id> says how:';
const VERDICTS = ['differs', 'not answered', 'not asked'] as const;

/** What each server deducted and, if the game was asked, how many of its orders it contradicts. */
export function serverTotalsReport(totals: ServerTotal[], comparisons?: Comparison[]): string {
  const verdicts = (comparisons ? VERDICTS : []).map((verdict) => [
    verdict,
    ({ server }: ServerTotal) => countVerdicts(comparisons!, server, verdict),
  ]);
  return listTable(totals, {
    server: ({ server }) => server,
    orders: ({ orders }) => orders,
    succeeded: ({ succeeded }) => succeeded,
    amount: ({ amount }) => amount,
    open: ({ open }) => open,
    ...Object.fromEntries(verdicts),
  });
}

function countVerdicts(
  comparisons: Comparison[],
  server: number,
  verdict: Comparison['verdict'],
): number {
  return comparisons.filter(
    (one) => one.withdrawal.roleServerId === server && one.verdict === verdict,
  ).length;
}

export function differencesReport(comparisons: Comparison[]): string {
  return listTable(comparisons, {
    verdict: ({ verdict }) => verdict,
    id: ({ withdrawal }) => withdrawal.id,
    server: ({ withdrawal }) => withdrawal.roleServerId,
    role: ({ withdrawal }) => withdrawal.roleId,
    amount: ({ withdrawal }) => withdrawal.amount,
    order_no: ({ withdrawal }) => withdrawal.orderNo,
    here: ({ withdrawal }) => withdrawal.status,
    game: ({ game }) => game.kind,
    evidence: ({ game }) => game.evidence,
  });
}

/** Without `gm_query_op`. `ok` if every balance is explained, and nothing is open. */
export function balancesReport(rows: Withdrawal[], { roles, problems }: RoleBalances) {
  const open = rows.filter(({ orderNo, status }) => orderNo !== null && !isFinal(status));
  const different = roles.filter(({ difference }) => difference !== null && difference !== 0);
  const unread = roles.filter(({ difference }) => difference === null);
  const ok = different.length + unread.length + open.length === 0;
  const list = (title: string, orders: Withdrawal[]) =>
    orders.length > 0 ? [`${title}\n${withdrawalListReport(orders)}`] : [];
  const text = [
    `${NOT_ASKED}${ok && roles.length > 0 ? BALANCES_AGREE : '.'}`,
    ...(different.length > 0 ? [BALANCES_DIFFER, roleTable(different)] : []),
    ...list('Their orders:', different.flatMap(ordersOf)),
    ...(problems.length > 0 ? [problems.join('\n')] : []),
    ...(unread.length > 0 ? [`${BALANCES_UNREAD}\n${roleTable(unread)}`] : []),
    ...list(MAY_BE_DEDUCTED, unread.flatMap(ordersOf).filter(isFailed)),
    ...list(SETTLE_FIRST, open),
  ];
  return { text: text.join('\n\n'), data: { roles, problems, open }, ok };
}

const ordersOf = ({ orders }: RoleBalance) => orders;
const isFailed = ({ status }: Withdrawal) => status === 'failed';

function roleTable(roles: RoleBalance[]): string {
  return listTable(roles, {
    server: ({ server }) => server,
    role: ({ role }) => role,
    name: ({ name }) => name,
    succeeded: ({ succeeded }) => succeeded,
    amount: ({ amount }) => amount,
    'balance before': ({ before }) => before,
    'balance now': ({ now }) => now,
    difference: ({ difference }) => difference,
  });
}
