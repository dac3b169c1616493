import {
  Body,
  Controller,
  Get,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Res,
  createParamDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags, ApiProperty } from '@nestjs/swagger';
import type { Response, Request } from 'express';
import { CurrentPlayer } from '../../platform/auth/auth.decorators.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import {
  type RequestContext,
  CurrentContext,
} from '../../platform/http/request/request-context.js';
import {
  MAX_INT,
  IntegerField,
  IntegerQueryField,
} from '../../platform/http/validation/field.decorator.js';
import { ApiSuccess, envelopeSchema, BanView } from '../../platform/openapi/api-response.js';
import type { GameRole } from './game/game-database.js';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from './record/withdrawal-status.js';
import type { WithdrawalResult } from './record/withdrawal-store.js';
import type { Withdrawal } from './record/withdrawal.entity.js';
import { WithdrawService } from './withdraw.service.js';

class WithdrawalView {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) server_id: number;
  @ApiProperty({ type: 'integer' }) role_id: number;
  @ApiProperty() role_name: string;
  @ApiProperty({ type: 'integer' }) amount: number;
  @ApiProperty({
    enum: WITHDRAWAL_STATUSES,
    description:
      '`unknown`: the outcome is being checked, and the role stays locked until it is settled',
  })
  status: WithdrawalStatus;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      "the error's name if the withdrawal was refused or failed; null also if the failure was found only later",
  })
  reason: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) settled_at: string | null;
}

class WithdrawalListView {
  @ApiProperty({ type: [WithdrawalView], description: 'newest first' })
  withdrawals: WithdrawalView[];
  @ApiProperty({ type: 'integer', description: 'amount that the daily limit still allows' })
  left_today: number;
  @ApiProperty({ type: BanView, nullable: true, description: 'the ban that forbids withdrawals' })
  ban: BanView | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'until when withdrawals are paused after a password reset, a new mailbox or a removed second factor',
  })
  paused_until: string | null;
}

class RoleView {
  @ApiProperty({ type: 'integer' }) role_id: number;
  @ApiProperty() name: string;
  @ApiProperty({ type: 'integer' }) level: number;
  @ApiProperty({ type: 'integer' }) balance: number;
}

class RoleListView {
  @ApiProperty({ type: [RoleView] }) roles: RoleView[];
}

const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

/** A malformed key is rejected, because ignoring it would allow duplicate withdrawals. */
const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const key = context.switchToHttp().getRequest<Request>().headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && WELL_FORMED.test(key)) return key;
  const message = 'must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -';
  throw new InvalidRequest([{ field: 'Idempotency-Key', message }]);
});

class WithdrawDto {
  @IntegerField({ max: MAX_INT, description: 'the server' }) serverId: number;
  @IntegerField({ description: 'a role of the caller on that server' }) roleId: number;
  @IntegerField({ example: 100 }) amount: number;
}

class RolesQuery {
  @IntegerQueryField({ max: MAX_INT, description: 'the server' }) serverId: number;
}

class WithdrawalsQuery {
  @IntegerQueryField({ optional: true, description: 'only withdrawals with a smaller id' })
  before?: number;
  @IntegerQueryField({ optional: true, max: 100, description: 'default 20' }) limit?: number;
}

@ApiTags('Withdrawal')
@Controller('game')
export class WithdrawController {
  constructor(private readonly withdrawals: WithdrawService) {}

  @Get('roles')
  @Priority('other', { waitsOutside: true })
  @ApiSuccess(
    RoleListView,
    "The caller's roles on a server, with their balances",
    'server_not_found',
    'server_unavailable',
    'game_server_unavailable',
  )
  async roles(@CurrentPlayer() me: PlayerIdentity, @Query() { serverId }: RolesQuery) {
    return { roles: (await this.withdrawals.roles(me, serverId)).map(toRoleView) };
  }

  @Post('withdraw')
  @Priority('game', { waitsOutside: true, isRetriedByKey: true })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      '1 to 64 characters of `A-Za-z0-9_-`. A repeat with the same key and body does nothing and returns the stored ' +
      'withdrawal, with `Idempotency-Hit: true`',
  })
  @ApiSuccess(
    WithdrawalView,
    'The amount was deducted',
    'idempotency_key_reused',
    'idempotency_conflict',
    'withdrawal_disabled',
    'withdrawal_banned',
    'withdrawal_paused',
    'sign_in_again',
    'amount_out_of_range',
    'server_not_found',
    'server_unavailable',
    'role_not_found',
    'withdrawal_open',
    'insufficient_balance',
    'withdrawal_refused',
    'game_server_unavailable',
  )
  @ApiResponse({
    status: 202,
    description:
      'It is not yet known whether the amount was deducted; the withdrawal is `unknown` and being checked',
    schema: envelopeSchema(WithdrawalView),
  })
  async withdraw(
    @CurrentPlayer() me: PlayerIdentity,
    @IdempotencyKey() key: string | null,
    @Body() dto: WithdrawDto,
    @CurrentContext() context: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    return toResponse(response, await this.withdrawals.request(me, dto, key, context));
  }

  @Get('withdraw')
  @Priority('other')
  @ApiSuccess(WithdrawalListView, "The caller's withdrawals")
  async list(@CurrentPlayer() me: PlayerIdentity, @Query() { before, limit }: WithdrawalsQuery) {
    const [withdrawals, left_today] = await Promise.all([
      this.withdrawals.list(me.id, before, limit),
      this.withdrawals.remainingToday(me.id),
    ]);
    return {
      withdrawals: withdrawals.map(toWithdrawalView),
      left_today,
      ban: me.withdrawalBan,
      paused_until: this.withdrawals.pausedUntil(me)?.toISOString() ?? null,
    };
  }

  @Get('withdraw/:id')
  @Priority('begun', { waitsOutside: true })
  @ApiSuccess(WithdrawalView, 'The withdrawal', 'withdrawal_not_found')
  async find(@CurrentPlayer() me: PlayerIdentity, @Param('id', ParseIntPipe) id: number) {
    return toWithdrawalView(await this.withdrawals.find(me.id, id));
  }
}

function toResponse(
  response: Response,
  { withdrawal, repeated }: WithdrawalResult,
): WithdrawalView {
  if (withdrawal.status === 'unknown') response.status(202);
  if (repeated) response.setHeader('Idempotency-Hit', 'true');
  return toWithdrawalView(withdrawal);
}

function toWithdrawalView(withdrawal: Withdrawal): WithdrawalView {
  const { id, serverId, roleId, roleName, amount, status, reason } = withdrawal;
  return {
    id,
    server_id: serverId,
    role_id: roleId,
    role_name: roleName,
    amount,
    status,
    reason,
    created_at: withdrawal.createdAt.toISOString(),
    settled_at: withdrawal.settledAt?.toISOString() ?? null,
  };
}

function toRoleView({ id, name, level, balance }: GameRole): RoleView {
  return { role_id: id, name, level, balance };
}
