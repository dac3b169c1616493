import { Body, Controller, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { sendAttachment } from '../../../platform/http/response/attachment.js';
import { CurrentOperator } from '../access/current-operator.decorator.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { DeskGet, DeskPost } from '../desk-route.decorator.js';
import { Id } from '../id.decorator.js';
import { NoteDto } from '../pagination.dto.js';
import { MAY_EXPORT_WITHDRAWALS, MAY_READ, WITHDRAWAL_ACTION_ROLES } from '../permissions.js';
import { FindWithdrawalsDto, SettleDto, WithdrawalFilterDto } from './withdrawals.dto.js';
import { WithdrawalsService } from './withdrawals.service.js';

@Controller('withdrawals')
export class WithdrawalsController {
  constructor(private readonly withdrawals: WithdrawalsService) {}

  @DeskGet('', MAY_READ)
  find(@CurrentOperator() me: DeskOperator, @Query() dto: FindWithdrawalsDto) {
    return this.withdrawals.find(me, dto);
  }

  @DeskGet('export', MAY_EXPORT_WITHDRAWALS)
  async export(
    @CurrentOperator() me: DeskOperator,
    @Query() dto: WithdrawalFilterDto,
    @Res() response: Response,
  ) {
    return sendAttachment(response, 'withdrawals', 'csv', await this.withdrawals.export(me, dto));
  }

  @DeskGet(':id', MAY_READ)
  details(@CurrentOperator() me: DeskOperator, @Id() id: number) {
    return this.withdrawals.details(me, id);
  }

  @DeskPost(':id/settle', WITHDRAWAL_ACTION_ROLES.settle)
  settle(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: SettleDto) {
    return this.withdrawals.settle(me, id, dto);
  }

  @DeskPost(':id/settle/cancel', WITHDRAWAL_ACTION_ROLES.settle_cancel)
  cancel(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { note }: NoteDto) {
    return this.withdrawals.cancel(me, id, note);
  }

  @DeskPost(':id/settle/decline', WITHDRAWAL_ACTION_ROLES.settle_decline)
  decline(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() dto: SettleDto) {
    return this.withdrawals.decline(me, id, dto);
  }

  @DeskPost(':id/reopen', WITHDRAWAL_ACTION_ROLES.reopen)
  reopen(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { note }: NoteDto) {
    return this.withdrawals.reopen(me, id, note);
  }
}
