import { Module } from '@nestjs/common';
import { SettleByTwo } from '../../withdraw/desk/settle-by-two.js';
import { WithdrawalActs } from '../../withdraw/desk/withdrawal-acts.js';
import { WithdrawalSearch } from '../../withdraw/desk/withdrawal-search.js';
import { WithdrawalCoreModule } from '../../withdraw/withdrawal-core.module.js';
import { WithdrawalsController } from './withdrawals.controller.js';
import { WithdrawalsService } from './withdrawals.service.js';

@Module({
  imports: [WithdrawalCoreModule],
  controllers: [WithdrawalsController],
  providers: [SettleByTwo, WithdrawalActs, WithdrawalSearch, WithdrawalsService],
})
export class DeskWithdrawalsModule {}
