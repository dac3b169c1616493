import type { Comparison, RoleTotal, ServerTotal } from './reconciliation.js';
import { terminalTable } from '../terminal-table.js';

const VERDICTS = ['differs', 'not answered', 'not asked'] as const;

/** What each server deducted and, if the game was asked, how many of its orders it contradicts. */
export function serverTotalsReport(totals: ServerTotal[], comparisons?: Comparison[]): string {
  const verdicts = comparisons ? VERDICTS : [];
  return terminalTable(
    ['server', 'orders', 'succeeded', 'amount', 'open', ...verdicts],
    totals.map(({ server, orders, succeeded, amount, open }) => [
      server,
      orders,
      succeeded,
      amount,
      open,
      ...verdicts.map((verdict) => countVerdicts(comparisons!, server, verdict)),
    ]),
  );
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
  return terminalTable(
    ['verdict', 'id', 'server', 'role', 'amount', 'order_no', 'here', 'game', 'evidence'],
    comparisons.map(({ withdrawal, game, verdict }) => [
      verdict,
      withdrawal.id,
      withdrawal.roleServerId,
      withdrawal.roleId,
      withdrawal.amount,
      withdrawal.orderNo,
      withdrawal.status,
      game.kind,
      game.evidence,
    ]),
  );
}

export function roleTotalsReport(totals: RoleTotal[]): string {
  return terminalTable(
    ['server', 'role', 'name', 'succeeded', 'amount', 'balance before', 'balance now'],
    totals.map((total) => [
      total.server,
      total.role,
      total.name,
      total.succeeded,
      total.amount,
      total.balanceBefore,
      total.balanceNow,
    ]),
  );
}
