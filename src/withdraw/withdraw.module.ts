import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ZonesModule } from '../zones/zones.module.js';
import { Dispatch } from './dispatch.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { DailyTotal } from './record/daily-total.js';
import { AbandonedWithdrawals } from './upkeep/abandoned-withdrawals.js';
import { Sweeper } from './upkeep/sweeper.js';
import { UnknownAlarm } from './upkeep/unknown-alarm.js';
import { WithdrawController } from './withdraw.controller.js';
import { WithdrawService } from './withdraw.service.js';
import { WITHDRAWAL_ENTITIES, WITHDRAWAL_PROVIDERS } from './withdrawal-providers.js';

@Module({
  imports: [TypeOrmModule.forFeature(WITHDRAWAL_ENTITIES), ZonesModule],
  controllers: [WithdrawController],
  providers: [
    ...WITHDRAWAL_PROVIDERS,
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
