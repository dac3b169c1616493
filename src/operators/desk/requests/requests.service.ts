import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { isRequestId } from '../../../platform/http/request/request-id.js';
import { RequestSearch } from '../../actions/events/request-search.js';
import type { LoginEvent } from '../../../platform/audit/login-event.entity.js';
import type { RefusedRequest } from '../../../platform/audit/refused-request.entity.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import type { RequestTrace } from '../responses/players.js';
import { parseLoginDevice } from '../players/login-device.js';
import { maskMailboxesDeep } from '../mask-mailboxes.js';

/** Everything recorded about one request: a sign-in, a withdrawal or a refusal. Others are only in the log. */
@Injectable()
export class RequestsService {
  constructor(private readonly requests: RequestSearch) {}

  async page({ role }: DeskOperator, given: string): Promise<RequestTrace> {
    if (!isRequestId(given)) throw new NotFound();
    const trace = await this.requests.find(given);
    const views = [
      ...trace.logins.map(toLoginView),
      ...trace.withdrawals.map(toWithdrawalView),
      ...trace.refusals.map(toRefusalView),
    ];
    const { id, beganAt } = trace;
    return { id, began_at: beganAt, events: maskMailboxesDeep(views, role) };
  }
}

function toLoginView(event: LoginEvent): RequestTrace['events'][number] {
  return {
    kind: 'login',
    id: Number(event.id),
    at: event.createdAt,
    player_id: event.playerId,
    way: event.way,
    outcome: event.outcome,
    tries: event.tries,
    typed: event.account,
    address: event.address,
    ...parseLoginDevice(event.device),
  };
}

function toWithdrawalView(row: Withdrawal): RequestTrace['events'][number] {
  return {
    kind: 'withdrawal',
    id: row.id,
    at: row.createdAt,
    player_id: row.playerId,
    outcome: row.status,
    reason: row.reason,
    role_server_id: row.roleServerId,
    role_id: row.roleId,
    role_name: row.roleName,
    amount: row.amount,
  };
}

function toRefusalView(row: RefusedRequest): RequestTrace['events'][number] {
  return {
    kind: 'refusal',
    id: Number(row.id),
    at: row.createdAt,
    player_id: row.playerId,
    request: `${row.method} ${row.path}`,
    outcome: row.error,
    address: row.address,
  };
}
