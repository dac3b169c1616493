import { Module } from '@nestjs/common';
import { SettleByTwo } from '../../withdraw/desk/settle-by-two.js';
import { WithdrawalActionsModule } from '../../withdraw/desk/withdrawal-actions.module.js';
import { WithdrawalsController } from './withdrawals.controller.js';
import { WithdrawalsService } from './withdrawals.service.js';

@Module({
  imports: [WithdrawalActionsModule],
  controllers: [WithdrawalsController],
  providers: [SettleByTwo, WithdrawalsService],
})
export class DeskWithdrawalsModule {}
