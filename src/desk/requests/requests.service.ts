import { Injectable } from '@nestjs/common';
import { timeOfRequestId } from '../../http/request/request-id.js';
import { JournalSearch } from '../../journal/journal-search.js';
import type { LoginEvent } from '../../journal/login-event.entity.js';
import { WithdrawalsOfRequest } from '../../withdraw/desk/withdrawals-of-request.js';
import type { Withdrawal } from '../../withdraw/record/withdrawal.entity.js';
import type { DeskOperator } from '../access/role.js';
import type { RequestStory } from '../answers/players.js';
import { LISTED } from '../list.dto.js';
import { shownState } from '../mailbox.js';

/** What is written down of one request: a sign-in, a withdrawal, or nothing. Of all others the log alone knows. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly journal: JournalSearch,
    private readonly withdrawals: WithdrawalsOfRequest,
  ) {}

  async page({ role }: DeskOperator, id: string): Promise<RequestStory> {
    const began = timeOfRequestId(id);
    const [logins, withdrawals] = await Promise.all([
      this.journal.logins({ request: id, limit: LISTED }),
      this.withdrawals.find(id, began),
    ]);
    const events = [...logins.map(toLoginView), ...withdrawals.map(toWithdrawalView)];
    return { id, began_at: began ?? null, events: shownState(events, role) };
  }
}

function toLoginView(event: LoginEvent): RequestStory['events'][number] {
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
    device: event.device,
  };
}

function toWithdrawalView(row: Withdrawal): RequestStory['events'][number] {
  return {
    kind: 'withdrawal',
    id: row.id,
    at: row.createdAt,
    player_id: row.playerId,
    outcome: row.status,
    reason: row.reason,
    zone_id: row.zoneId,
    role_id: row.roleId,
    role_name: row.roleName,
    amount: row.amount,
  };
}
