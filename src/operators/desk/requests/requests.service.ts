import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { isRequestId } from '../../../platform/http/request/request-id.js';
import { RequestSearch } from '../../actions/events/request-search.js';
import type { LoginEvent } from '../../../platform/audit/login-event.entity.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import type { RequestTrace } from '../responses/players.js';
import { parseLoginDevice } from '../players/login-device.js';
import { maskMailboxesDeep } from '../mask-mailboxes.js';

/** Everything recorded about one request: a sign-in, a withdrawal, or nothing. All others are only in the log. */
@Injectable()
export class RequestsService {
  constructor(private readonly requests: RequestSearch) {}

  async page({ role }: DeskOperator, id: string): Promise<RequestTrace> {
    if (!isRequestId(id)) throw new NotFound();
    const { beganAt, logins, withdrawals } = await this.requests.find(id);
    const views = [...logins.map(toLoginView), ...withdrawals.map(toWithdrawalView)];
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
