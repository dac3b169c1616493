import type { AuditEvent } from '../../../platform/audit/audit.entity.js';
import type { Session } from '../../../platform/auth/session.entity.js';
import { isFinal } from '../../../features/withdraw/record/withdrawal-status.js';
import type {
  Withdrawal,
  WithdrawalEvent,
} from '../../../features/withdraw/record/withdrawal.entity.js';
import type { ApprovalRequest } from '../../actions/four-eyes/four-eyes.js';
import type { DeskOperator, Role } from '../../actions/operators/operator.entity.js';
import { SETTLE_DECLINE } from '../../actions/withdrawals/four-eyes-settlement.js';
import type { SettledOutcome } from '../../actions/withdrawals/withdrawal-actions.js';
import { actionsForRole, maskMailboxes, WITHDRAWAL_ACTION_ROLES } from '../access/permissions.js';

export interface DisplayNames {
  account: string | null;
  server: string | null;
}

export function toWithdrawalView(
  row: Withdrawal,
  { account, server }: DisplayNames,
  settleRequest: ApprovalRequest | null,
  role: Role,
) {
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
    // If a withdrawal is settled without its request, the request remains in the table.
    settle_request: row.status === 'unknown' ? toSettleRequestView(settleRequest, role) : null,
  };
}

/** Returns what a withdrawal's page shows in addition to the list. */
export function toOrderView(row: Withdrawal) {
  return {
    server_id: row.serverId,
    order_no: row.orderNo,
    request_id: row.requestId,
    address: row.address,
    session_id: row.sessionId,
    idempotency_key: row.idempotencyKey,
    balance_before: row.balanceBefore,
    sent_at: row.sentAt,
    sent_to: row.gmHost === null ? null : `${row.gmHost}:${row.gmPort}${row.gmPath}`,
    settled_at: row.settledAt,
    asks: row.asks,
    asked_at: row.askedAt,
  };
}

export function toSessionView({ createdAt, address, device, os, browse, endedAt }: Session) {
  return { created_at: createdAt, address, device, os, browse, ended_at: endedAt };
}

/** Lists the columns of the CSV file, which come from `toWithdrawalView` and `toOrderView`. */
export const WITHDRAWAL_CSV_COLUMNS = [
  'id',
  'created_at',
  'status',
  'reason',
  'amount',
  'account',
  'player_id',
  'role_server_id',
  'server',
  'role_id',
  'role_name',
  'order_no',
  'sent_at',
  'settled_at',
] as const;

export function toEventView(event: WithdrawalEvent, role: Role) {
  return {
    at: event.createdAt,
    from: event.fromStatus,
    to: event.toStatus,
    cause: event.cause,
    evidence: maskMailboxes(event.evidence, role),
  };
}

/** Returns why the last proposal was declined, unless another event has followed. */
export function toDeclineView({ status }: Withdrawal, last: AuditEvent | undefined, role: Role) {
  if (status !== 'unknown' || last?.act !== SETTLE_DECLINE) return null;
  const { outcome, asked_by } = last.before as { outcome: SettledOutcome; asked_by: string };
  const { operator: by, createdAt: at, note } = last;
  return { outcome, asked_by, by, at, note: maskMailboxes(note, role) };
}

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

export function toSettleRequestView(request: ApprovalRequest | null, role: Role) {
  if (!request) return null;
  const { proposal, operator, createdAt, note } = request;
  const outcome = proposal as SettledOutcome;
  return { outcome, by: operator, at: createdAt, note: maskMailboxes(note, role) };
}
