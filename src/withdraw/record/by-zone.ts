import type { Withdrawal } from './withdrawal.entity.js';

export function byZone(withdrawals: Withdrawal[]): Map<number, Withdrawal[]> {
  const zones = new Map<number, Withdrawal[]>();
  for (const withdrawal of withdrawals) {
    const others = zones.get(withdrawal.zoneId);
    if (others) others.push(withdrawal);
    else zones.set(withdrawal.zoneId, [withdrawal]);
  }
  return zones;
}
