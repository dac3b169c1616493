import type { WithdrawalStatus } from '../../../features/withdraw/record/withdrawal-status.js';
import type { PlayerWithdrawal } from './players.js';

export interface WithdrawalList {
  withdrawals: WithdrawalLine[];
  next: number | null;
}

export interface WithdrawalLine extends Omit<PlayerWithdrawal, 'settled_at'> {
  account: string | null;
  player_id: number;
  server: string | null;
  age_seconds: number;
  settle_request: SettleRequest | null;
}

export interface SettleRequest {
  outcome: 'succeeded' | 'failed';
  by: string;
  at: Date;
  note: string;
}

export interface WithdrawalStory {
  withdrawal: Omit<WithdrawalLine, 'settle_request'> & Order;
  player: { id: number; account: string; game_account: string } | null;
  problem: string | null;
  events: WithdrawalStep[];
  balance_now: number | null;
  settle_request: SettleRequest | null;
  /** Above `desk.four_eyes_above`. */
  needs_two: boolean;
  may: string[];
}

/** Facts that only the page of one withdrawal shows. */
export interface Order {
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

export interface WithdrawalStep {
  at: Date;
  from: WithdrawalStatus | null;
  to: WithdrawalStatus;
  cause: string;
  evidence: string;
}

export interface Settled {
  settled: boolean;
  waits_for_second?: true;
}
