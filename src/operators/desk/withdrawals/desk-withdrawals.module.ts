import { Module } from '@nestjs/common';
import { FourEyesSettlement } from '../../actions/withdrawals/four-eyes.js';
import { WithdrawalActionsModule } from '../../actions/withdrawals/withdrawal-actions.module.js';
import { WithdrawalsController } from './withdrawals.controller.js';
import { WithdrawalsService } from './withdrawals.service.js';

@Module({
  imports: [WithdrawalActionsModule],
  controllers: [WithdrawalsController],
  providers: [FourEyesSettlement, WithdrawalsService],
})
export class DeskWithdrawalsModule {}
