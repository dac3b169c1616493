import { Module } from '@nestjs/common';
import { Dispatch } from './dispatch.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { DailyTotal } from './record/daily-total.js';
import { AbandonedWithdrawals } from './upkeep/abandoned-withdrawals.js';
import { Sweeper } from './upkeep/sweeper.js';
import { UnknownAlarm } from './upkeep/unknown-alarm.js';
import { WithdrawController } from './withdraw.controller.js';
import { WithdrawService } from './withdraw.service.js';
import { WithdrawalCoreModule } from './withdrawal-core.module.js';

@Module({
  imports: [WithdrawalCoreModule],
  controllers: [WithdrawController],
  providers: [
    AbandonedWithdrawals,
    DailyTotal,
    Dispatch,
    InFlightWithdrawals,
    OutcomeRecorder,
    Sweeper,
    UnknownAlarm,
    WithdrawService,
  ],
})
export class WithdrawModule {}
