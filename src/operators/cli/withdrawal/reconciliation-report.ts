import type { Comparison, RoleTotal } from './reconciliation.js';
import { terminalTable } from '../terminal-table.js';

/** What each server deducted, and how many of its orders the game tells otherwise. */
export function serverTotalsReport(comparisons: Comparison[]): string {
  const servers = [...new Set(comparisons.map(({ withdrawal }) => withdrawal.roleServerId))];
  return terminalTable(
    ['server', 'orders', 'succeeded', 'amount', 'differ', 'open', 'not answered'],
    servers.map((server) => {
      const orders = comparisons.filter(({ withdrawal }) => withdrawal.roleServerId === server);
      const succeeded = orders.filter(({ withdrawal }) => withdrawal.status === 'succeeded');
      const count = (verdict: Comparison['verdict']) =>
        orders.filter((order) => order.verdict === verdict).length;
      return [
        server,
        orders.length,
        succeeded.length,
        succeeded.reduce((sum, { withdrawal }) => sum + withdrawal.amount, 0),
        count('differs'),
        count('open'),
        count('not answered'),
      ];
    }),
  );
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
