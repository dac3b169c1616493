import type { Comparison, RoleTotal } from './reconciliation.js';
import { terminalTable } from '../../command/terminal-table.js';

/** What each zone deducted, and how many of its orders the game tells otherwise. */
export function zonesReport(comparisons: Comparison[]): string {
  const zones = [...new Set(comparisons.map(({ withdrawal }) => withdrawal.zoneId))];
  return terminalTable(
    ['zone', 'orders', 'succeeded', 'amount', 'differ', 'open', 'not answered'],
    zones.map((zone) => {
      const orders = comparisons.filter(({ withdrawal }) => withdrawal.zoneId === zone);
      const succeeded = orders.filter(({ withdrawal }) => withdrawal.status === 'succeeded');
      const count = (verdict: Comparison['verdict']) =>
        orders.filter((order) => order.verdict === verdict).length;
      return [
        zone,
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
    ['verdict', 'id', 'zone', 'role', 'amount', 'order_no', 'here', 'game', 'evidence'],
    comparisons.map(({ withdrawal, game, verdict }) => [
      verdict,
      withdrawal.id,
      withdrawal.zoneId,
      withdrawal.roleId,
      withdrawal.amount,
      withdrawal.orderNo,
      withdrawal.status,
      game.kind,
      game.evidence,
    ]),
  );
}

export function totalsReport(totals: RoleTotal[]): string {
  return terminalTable(
    ['zone', 'role', 'name', 'succeeded', 'amount', 'balance before', 'balance now'],
    totals.map((total) => [
      total.zone,
      total.role,
      total.name,
      total.succeeded,
      total.amount,
      total.balanceBefore,
      total.balanceNow,
    ]),
  );
}
