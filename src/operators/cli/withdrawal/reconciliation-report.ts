import type { Comparison, RoleTotal, ServerTotal } from './reconciliation.js';
import { listTable } from '../terminal-table.js';

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

export function roleTotalsReport(totals: RoleTotal[]): string {
  return listTable(totals, {
    server: (total) => total.server,
    role: (total) => total.role,
    name: (total) => total.name,
    succeeded: (total) => total.succeeded,
    amount: (total) => total.amount,
    'balance before': (total) => total.balanceBefore,
    'balance now': (total) => total.balanceNow,
    difference: (total) => total.difference,
  });
}
