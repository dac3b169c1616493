import { Module } from '@nestjs/common';
import { FourEyes } from '../../actions/four-eyes/four-eyes.js';
import { FourEyesSettlement } from '../../actions/withdrawals/four-eyes-settlement.js';
import { WithdrawalActionsModule } from '../../actions/withdrawals/withdrawal-actions.module.js';
import { CsvExport } from '../csv-export.js';
import { WithdrawalsController } from './withdrawals.controller.js';
import { WithdrawalsService } from './withdrawals.service.js';

@Module({
  imports: [WithdrawalActionsModule],
  controllers: [WithdrawalsController],
  providers: [CsvExport, FourEyes, FourEyesSettlement, WithdrawalsService],
})
export class DeskWithdrawalsModule {}
