import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import type { ApprovalRequest } from '../../actions/four-eyes/approval-request.entity.js';
import { SETTLE_DECLINE } from '../../actions/withdrawals/four-eyes-settlement.js';
import type { SettledOutcome } from '../../actions/withdrawals/settled-outcome.js';
import type { WithdrawalEvent } from '../../../features/withdraw/record/withdrawal-event.entity.js';
import { isFinal } from '../../../features/withdraw/record/withdrawal-status.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import type { DeskOperator, Role } from '../../actions/operators/role.js';
import type {
  WithdrawalOrderDetails,
  SettleDeclineView,
  SettleRequestView as SettleView,
  WithdrawalListItem,
  WithdrawalEventView,
} from '../responses/withdrawals.js';
import { maskMailboxes } from '../mask-mailboxes.js';
import { actionsForRole, WITHDRAWAL_ACTION_ROLES } from '../permissions.js';

/** Facts that are not in the row. */
export interface DisplayNames {
  account: string | null;
  server: string | null;
}

export function toWithdrawalView(
  row: Withdrawal,
  { account, server }: DisplayNames,
  settleRequest: ApprovalRequest | null,
  role: Role,
): WithdrawalListItem {
  return {
    id: row.id,
    account,
    player_id: row.playerId,
    role_server_id: row.roleServerId,
    server,
    role_id: row.roleId,
    role_name: row.roleName,
    amount: row.amount,
    status: row.status,
    reason: row.reason,
    created_at: row.createdAt,
    age_seconds: Math.max(0, Math.round((Date.now() - row.createdAt.getTime()) / 1000)),
    // A withdrawal settled in another way leaves its request behind.
    settle_request:
      settleRequest && row.status === 'unknown' ? toSettleRequestView(settleRequest, role) : null,
  };
}

/** What the page adds to the row of the list. */
export function toOrderView(row: Withdrawal): WithdrawalOrderDetails {
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

export function toEventView(event: WithdrawalEvent, role: Role): WithdrawalEventView {
  return {
    at: event.createdAt,
    from: event.fromStatus,
    to: event.toStatus,
    cause: event.cause,
    evidence: maskMailboxes(event.evidence, role),
  };
}

/** Why the last proposal was declined, until something else happens to the withdrawal. */
export function toDeclineView(
  { status }: Withdrawal,
  last: AuditEvent | undefined,
  role: Role,
): SettleDeclineView | null {
  if (status !== 'unknown' || last?.act !== SETTLE_DECLINE) return null;
  const { outcome, asked_by } = last.before as { outcome: SettledOutcome; asked_by: string };
  const { operator: by, createdAt: at, note } = last;
  return { outcome, asked_by, by, at, note: maskMailboxes(note, role) };
}

/** What the operator may do with it now. */
export function allowedActions(
  row: Withdrawal,
  settleRequest: ApprovalRequest | null,
  me: DeskOperator,
) {
  const unknown = row.status === 'unknown';
  const available = {
    settle: unknown && settleRequest?.operator !== me.name,
    settle_cancel: unknown && settleRequest?.operator === me.name,
    settle_decline: unknown && settleRequest !== null && settleRequest.operator !== me.name,
    reopen: isFinal(row.status) && row.orderNo !== null,
  };
  return actionsForRole(WITHDRAWAL_ACTION_ROLES, me.role).filter((act) => available[act]);
}

function toSettleRequestView(
  { proposal, operator, createdAt, note }: ApprovalRequest,
  role: Role,
): SettleView {
  const outcome = proposal as SettledOutcome;
  return { outcome, by: operator, at: createdAt, note: maskMailboxes(note, role) };
}
