import type { Withdrawal } from './withdrawal.entity.js';

export function groupByServer(withdrawals: Withdrawal[]): Map<number, Withdrawal[]> {
  const servers = new Map<number, Withdrawal[]>();
  for (const withdrawal of withdrawals) {
    const others = servers.get(withdrawal.roleServerId);
    if (others) others.push(withdrawal);
    else servers.set(withdrawal.roleServerId, [withdrawal]);
  }
  return servers;
}
