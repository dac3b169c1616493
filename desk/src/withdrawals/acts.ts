import type { WithdrawalDetails } from '../api/answers';

export const WITHDRAWAL_ACTS = ['succeeded', 'failed', 'decline', 'cancel', 'reopen'] as const;
export type WithdrawalAct = (typeof WITHDRAWAL_ACTS)[number];

/**
 * Settling has two outcomes. While a proposal exists, only its outcome is offered, because the
 * service would refuse the other one.
 */
export function actsOf({ may, settle_request: request }: WithdrawalDetails): WithdrawalAct[] {
  const maySettle = may.includes('settle');
  return WITHDRAWAL_ACTS.filter((act) => {
    if (act === 'reopen') return may.includes('reopen');
    if (act === 'cancel' || act === 'decline') return may.includes(`settle_${act}`);
    return maySettle && (request === null || request.outcome === act);
  });
}
