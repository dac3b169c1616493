import type { WithdrawalStatus } from '../../../features/withdraw/record/withdrawal-status.js';
import type { PlayerWithdrawal } from './players.js';

export interface WithdrawalList {
  withdrawals: WithdrawalListItem[];
  next: number | null;
}

export interface WithdrawalListItem extends Omit<PlayerWithdrawal, 'settled_at'> {
  account: string | null;
  player_id: number;
  server: string | null;
  age_seconds: number;
  settle_request: SettleRequestView | null;
}

export interface SettleRequestView {
  outcome: 'succeeded' | 'failed';
  by: string;
  at: Date;
  note: string;
}

export interface SettleDeclineView extends SettleRequestView {
  asked_by: string;
}

export interface WithdrawalDetails {
  withdrawal: Omit<WithdrawalListItem, 'settle_request'> & WithdrawalOrderDetails;
  player: { id: number; account: string; game_account: string } | null;
  problem: string | null;
  events: WithdrawalEventView[];
  balance_now: number | null;
  settle_request: SettleRequestView | null;
  /** The second operator disagreed, and nothing was done since. */
  settle_decline: SettleDeclineView | null;
  /** Above `desk.four_eyes_above`. */
  needs_two: boolean;
  may: string[];
}

/** Only on the page of one withdrawal. */
export interface WithdrawalOrderDetails {
  server_id: number;
  order_no: string | null;
  idempotency_key: string | null;
  balance_before: number | null;
  sent_at: Date | null;
  sent_to: string | null;
  settled_at: Date | null;
  asks: number;
  asked_at: Date | null;
}

export interface WithdrawalEventView {
  at: Date;
  from: WithdrawalStatus | null;
  to: WithdrawalStatus;
  cause: string;
  evidence: string;
}

export interface SettleResult {
  settled: boolean;
  waits_for_second?: true;
}
