import { Body, Controller, Query } from '@nestjs/common';
import { DAY_MS, HOUR_MS } from '../../../platform/config/time.js';
import { EventBacklog } from '../../../platform/events/event-backlog.service.js';
import {
  IntegerField,
  IntegerQueryField,
  TextField,
} from '../../../platform/http/validation/field.decorator.js';
import { AddressBlocks } from '../../actions/events/address-blocks.js';
import { DeadEvents } from '../../actions/events/dead-events.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { PromoterDays } from '../../actions/players/promoter-days.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import {
  maskMailboxesDeep,
  MAY_BLOCK_ADDRESSES,
  MAY_READ,
  MAY_RESEND_EVENTS,
} from '../access/permissions.js';
import { CurrentOperator, DeskGet, DeskPost } from '../http/desk-route.decorator.js';
import { NoteDto, parseTime, TimeField } from '../http/pagination.dto.js';

const MAX_ROWS = 100;
/** Limits the rows of a page. The command `gatehouse events promoters` prints all rows. */
const MAX_DAYS = 1000;

class SinceDto {
  @TimeField()
  since?: string;
}

class DaysDto {
  @IntegerQueryField({ max: 90, optional: true })
  days?: number;
}

class RefusalsDto extends SinceDto {
  @TextField({
    max: 12,
    pattern: /^(?:game_servers|all)$/,
    hint: 'must be game_servers or all',
    optional: true,
  })
  senders?: string;
}

class AddressDto extends NoteDto {
  @TextField({ max: 49 })
  address: string;
}

class BlockDto extends AddressDto {
  @IntegerField({ max: 24 * 366 })
  hours: number;
}

class ResendDto extends NoteDto {
  @TextField({ max: 32 })
  endpoint: string;
}

/** Summarises e-mails, promoters, failed sign-ins and events of all players, blocks addresses and resends dead events. */
@Controller()
export class EventsController {
  constructor(
    private readonly events: EventSearch,
    private readonly blocks: AddressBlocks,
    private readonly promoterDays: PromoterDays,
    private readonly backlog: EventBacklog,
    private readonly dead: DeadEvents,
  ) {}

  @DeskGet('mails', MAY_READ)
  mails(@Query() { since }: SinceDto) {
    return this.events.mails(sinceOrHour(since));
  }

  @DeskGet('promoters', MAY_READ)
  async promoters(@Query() { days = 30 }: DaysDto) {
    const found = await this.promoterDays.days(new Date(Date.now() - days * DAY_MS));
    const { promoters, unknown, ...rest } = found;
    const lists = { promoters: promoters.slice(0, MAX_DAYS), unknown: unknown.slice(0, MAX_DAYS) };
    return { ...rest, ...lists, total: promoters.length + unknown.length };
  }

  @DeskGet('refusals', MAY_READ)
  async refusals(@CurrentOperator() { role }: DeskOperator, @Query() dto: RefusalsDto) {
    const all = dto.senders === 'all';
    const rows = await this.events.refusals(sinceOrHour(dto.since), { all }, MAX_ROWS);
    const refusals = rows.map((row) => ({
      id: Number(row.id),
      at: row.createdAt,
      player_id: row.playerId,
      request: `${row.method} ${row.path}`,
      error: row.error,
      address: row.address,
      reason: row.reason,
      signed_text: row.signedText,
      request_id: row.requestId,
    }));
    return { refusals: maskMailboxesDeep(refusals, role), is_complete: rows.length < MAX_ROWS };
  }

  @DeskGet('guesses', MAY_READ)
  async guesses(@CurrentOperator() { role }: DeskOperator, @Query() { since }: SinceDto) {
    const from = sinceOrHour(since);
    const [addresses, accounts, signIns, blocks] = await Promise.all([
      this.events.guesses('address', from, MAX_ROWS),
      this.events.guesses('player_id', from, MAX_ROWS),
      this.events.signInsAfterGuesses(from, MAX_ROWS),
      this.blocks.findInForce(),
    ]);
    const groups = addresses.groups.map((group) => ({
      ...group,
      ...this.blocks.stateOf(group.address, blocks),
    }));
    const blocked = blocks.map(({ address, note, createdBy, until }) => ({
      address,
      note,
      by: createdBy,
      until,
    }));
    const may_block = MAY_BLOCK_ADDRESSES.includes(role);
    const lists = { addresses: { ...addresses, groups }, accounts, sign_ins: signIns, blocked };
    // Players may type their mailbox instead of their name.
    return maskMailboxesDeep({ ...lists, may_block }, role);
  }

  @DeskGet('events', MAY_READ)
  async sent(@CurrentOperator() { role }: DeskOperator) {
    const rows = await this.dead.list({ limit: MAX_ROWS });
    const dead = rows.map((row) => ({
      id: Number(row.id),
      at: row.createdAt,
      endpoint: row.endpoint,
      player_id: row.playerId,
      type: row.type,
      failure: row.failure,
    }));
    const may_resend = MAY_RESEND_EVENTS.includes(role);
    return { endpoints: await this.backlog.find(), dead, may_resend };
  }

  @DeskPost('events/resend', MAY_RESEND_EVENTS)
  resend(@CurrentOperator() { name: by }: DeskOperator, @Body() dto: ResendDto) {
    return this.dead.resend({ by, note: dto.note }, dto.endpoint);
  }

  @DeskPost('addresses/block', MAY_BLOCK_ADDRESSES)
  async block(@CurrentOperator() { name: by }: DeskOperator, @Body() dto: BlockDto) {
    const { address, until } = await this.blocks.block(
      { by, note: dto.note },
      dto.address,
      dto.hours,
    );
    return { address, until };
  }

  @DeskPost('addresses/unblock', MAY_BLOCK_ADDRESSES)
  async unblock(@CurrentOperator() { name: by }: DeskOperator, @Body() dto: AddressDto) {
    await this.blocks.unblock({ by, note: dto.note }, dto.address);
    return {};
  }
}

function sinceOrHour(since: string | undefined): Date {
  return parseTime(since) ?? new Date(Date.now() - HOUR_MS);
}
