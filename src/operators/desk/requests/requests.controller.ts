import { Controller, Param } from '@nestjs/common';
import type {
  LoginEvent,
  PlayerChange,
  RefusedRequest,
} from '../../../platform/audit/audit.entity.js';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { isRequestId } from '../../../platform/http/request/request-id.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { RequestSearch } from '../../actions/events/event-search.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { maskMailboxesDeep, MAY_READ } from '../access/permissions.js';
import { CurrentOperator, DeskGet } from '../http/desk-route.decorator.js';
import { parseLoginDevice } from '../../../features/sessions/device.js';
import type { TimelineEventView } from '../players/player.view.js';

type RequestEvent = TimelineEventView & { player_id: number | null };

/** Shows the records of a request that was a sign-in, a withdrawal or a change to an account, or was rejected. */
@Controller('requests')
export class RequestsController {
  constructor(private readonly requests: RequestSearch) {}

  @DeskGet(':id', MAY_READ)
  async page(@CurrentOperator() { role }: DeskOperator, @Param('id') given: string) {
    if (!isRequestId(given)) throw new NotFound();
    const { id, beganAt, logins, withdrawals, changes, refusals } = await this.requests.find(given);
    const events = [
      ...logins.map(toLoginView),
      ...withdrawals.map(toWithdrawalView),
      ...changes.map(toChangeView),
      ...refusals.map(toRefusalView),
    ];
    return { id, began_at: beganAt, events: maskMailboxesDeep(events, role) };
  }
}

function toLoginView(event: LoginEvent): RequestEvent {
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

function toWithdrawalView(row: Withdrawal): RequestEvent {
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
    address: row.address,
  };
}

function toChangeView({
  id,
  createdAt,
  playerId,
  what,
  detail,
  address,
}: PlayerChange): RequestEvent {
  const facts = { what, detail, address };
  return { kind: 'change', id: Number(id), at: createdAt, player_id: playerId, ...facts };
}

function toRefusalView(row: RefusedRequest): RequestEvent {
  return {
    kind: 'refusal',
    id: Number(row.id),
    at: row.createdAt,
    player_id: row.playerId,
    request: `${row.method} ${row.path}`,
    outcome: row.error,
    reason: row.reason,
    address: row.address,
  };
}
