import { Body, Controller, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { sendAttachment } from '../../../platform/http/response/attachment.js';
import { TextField } from '../../../platform/http/validation/field.decorator.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import {
  MAY_EXPORT_WITHDRAWALS,
  MAY_READ,
  WITHDRAWAL_ACTION_ROLES,
} from '../access/permissions.js';
import { CurrentOperator, DeskGet, DeskPost, Id } from '../http/desk-route.decorator.js';
import { NoteDto } from '../http/pagination.dto.js';
import {
  FindWithdrawalsDto,
  SettleDto,
  WithdrawalFilterDto,
  WithdrawalsService,
} from './withdrawals.service.js';

class TogetherQueryDto {
  @TextField({ max: 1000, pattern: /^\d+(,\d+)*$/, hint: 'must be ids' })
  ids: string;
}

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

  @DeskGet('totals', MAY_READ)
  totals(@Query() dto: WithdrawalFilterDto) {
    return this.withdrawals.totals(dto);
  }

  @DeskGet('totals/export', MAY_EXPORT_WITHDRAWALS)
  async exportTotals(
    @CurrentOperator() me: DeskOperator,
    @Query() dto: WithdrawalFilterDto,
    @Res() response: Response,
  ) {
    const totals = await this.withdrawals.exportTotals(me, dto);
    return sendAttachment(response, 'withdrawal-totals', 'csv', totals);
  }

  @DeskGet('together', WITHDRAWAL_ACTION_ROLES.settle)
  previewTogether(@CurrentOperator() me: DeskOperator, @Query() { ids }: TogetherQueryDto) {
    return this.withdrawals.previewTogether(me, ids);
  }

  @DeskPost('together', WITHDRAWAL_ACTION_ROLES.settle)
  settleTogether(
    @CurrentOperator() me: DeskOperator,
    @Body() dto: SettleDto,
    @Body('ids') ids: unknown,
  ) {
    return this.withdrawals.settleTogether(me, ids, dto);
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
