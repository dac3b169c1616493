import type { SettleRequest } from '../../withdraw/record/settle-request.entity.js';
import type { WithdrawalEvent } from '../../withdraw/record/withdrawal-event.entity.js';
import { isFinal } from '../../withdraw/record/withdrawal-states.js';
import type { Withdrawal } from '../../withdraw/record/withdrawal.entity.js';
import type { DeskOperator, Role } from '../access/role.js';
import type {
  Order,
  SettleRequest as SettleView,
  WithdrawalLine,
  WithdrawalStep,
} from '../answers/withdrawals.js';
import { shownText } from '../mailbox.js';
import { actsOf, WITHDRAWAL_ACTS } from '../permissions.js';

/** What a row does not say itself. */
export interface Names {
  account: string | null;
  zone: string | null;
}

export function toWithdrawalView(
  row: Withdrawal,
  { account, zone }: Names,
  wish: SettleRequest | null,
  role: Role,
): WithdrawalLine {
  return {
    id: row.id,
    account,
    player_id: row.playerId,
    zone_id: row.zoneId,
    zone,
    role_id: row.roleId,
    role_name: row.roleName,
    amount: row.amount,
    status: row.status,
    reason: row.reason,
    created_at: row.createdAt,
    age_seconds: Math.max(0, Math.round((Date.now() - row.createdAt.getTime()) / 1000)),
    // One that another way settled leaves its wish behind.
    settle_request: wish && row.status === 'unknown' ? toWishView(wish, role) : null,
  };
}

/** What the story adds to the row of the list. */
export function toOrderView(row: Withdrawal): Order {
  return {
    server_id: row.serverId,
    order_no: row.orderNo,
    idempotency_key: row.idempotencyKey,
    balance_before: row.balanceBefore,
    sent_at: row.sentAt,
    sent_to: row.gmHost === null ? null : `${row.gmHost}:${row.gmPort}${row.gmPath}`,
    settled_at: row.settledAt,
    asks: row.asks,
    asked_at: row.askedAt,
  };
}

export function toEventView(event: WithdrawalEvent, role: Role): WithdrawalStep {
  return {
    at: event.createdAt,
    from: event.fromStatus,
    to: event.toStatus,
    cause: event.cause,
    evidence: shownText(event.evidence, role),
  };
}

/** What the operator may do with it now. */
export function actsNow(row: Withdrawal, wish: SettleRequest | null, me: DeskOperator) {
  const unknown = row.status === 'unknown';
  const sensible = {
    settle: unknown && wish?.operator !== me.name,
    settle_cancel: unknown && wish !== null,
    reopen: isFinal(row.status) && row.orderNo !== null,
  };
  return actsOf(WITHDRAWAL_ACTS, me.role).filter((act) => sensible[act]);
}

function toWishView({ outcome, operator, createdAt, note }: SettleRequest, role: Role): SettleView {
  return { outcome, by: operator, at: createdAt, note: shownText(note, role) };
}
