import { Body, Controller, Get, Param, ParseIntPipe, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPlayer } from '../../platform/auth/current-player.decorator.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { ApiSuccess, envelopeSchema } from '../../platform/http/response/api-success.decorator.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import { IdempotencyKey } from './idempotency-key.decorator.js';
import { RolesQuery, WithdrawalsQuery, WithdrawDto } from './withdraw.dto.js';
import type { WithdrawalResult } from './record/create-withdrawal.js';
import { WithdrawService } from './withdraw.service.js';
import {
  RoleListView,
  toRoleView,
  toWithdrawalView,
  WithdrawalListView,
  WithdrawalView,
} from './withdrawal.view.js';

@ApiTags('Withdrawal')
@Controller('game')
export class WithdrawController {
  constructor(private readonly withdrawals: WithdrawService) {}

  @Get('roles')
  @Priority('other', { waitsOutside: true })
  @ApiSuccess(
    RoleListView,
    "The caller's roles in a server, with their balances",
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
      '1–64 of `A-Za-z0-9_-`. A repeat with the same key and body does nothing and returns the stored ' +
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
      'Whether it was deducted is not known yet: the withdrawal is `unknown` and being checked',
    schema: envelopeSchema(WithdrawalView),
  })
  async withdraw(
    @CurrentPlayer() me: PlayerIdentity,
    @IdempotencyKey() key: string | null,
    @Body() dto: WithdrawDto,
    @CurrentContext() { requestId }: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    return toResponse(response, await this.withdrawals.request(me, dto, key, requestId));
  }

  @Get('withdraw')
  @Priority('other')
  @ApiSuccess(WithdrawalListView, "The caller's withdrawals")
  async list(
    @CurrentPlayer() { id, withdrawalBan: ban }: PlayerIdentity,
    @Query() { before, limit }: WithdrawalsQuery,
  ) {
    const [withdrawals, left_today] = await Promise.all([
      this.withdrawals.list(id, before, limit),
      this.withdrawals.remainingToday(id),
    ]);
    return { withdrawals: withdrawals.map(toWithdrawalView), left_today, ban };
  }

  @Get('withdraw/:id')
  @Priority('begun', { waitsOutside: true })
  @ApiSuccess(WithdrawalView, 'One of them', 'withdrawal_not_found')
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
