import { Module } from '@nestjs/common';
import { Dispatch } from './dispatch.js';
import { InFlight } from './in-flight.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { Sweeper } from './sweeper.js';
import { UnknownAlarm } from './unknown-alarm.js';
import { WithdrawController } from './withdraw.controller.js';
import { WithdrawService } from './withdraw.service.js';
import { WithdrawalStateModule } from './withdrawal-state.module.js';

@Module({
  imports: [WithdrawalStateModule],
  controllers: [WithdrawController],
  providers: [Dispatch, InFlight, OutcomeRecorder, Sweeper, UnknownAlarm, WithdrawService],
})
export class WithdrawModule {}
