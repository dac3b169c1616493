import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RegistrationsToday } from '../../accounts/desk/registrations-today.js';
import { JournalSearch } from '../../journal/journal-search.js';
import { WaitingWithdrawals } from '../../withdraw/desk/waiting-withdrawals.js';
import { WithdrawalActionsModule } from '../../withdraw/desk/withdrawal-actions.module.js';
import { OpenWork } from '../../zones/desk/open-work.js';
import { Zone } from '../../zones/zone.entity.js';
import { AccessModule } from '../access/access.module.js';
import { NowController } from './now.controller.js';
import { NowHealth } from './now-health.js';
import { NowInstances } from './now-instances.js';
import { NowLive } from './now-live.js';
import { NowMail } from './now-mail.js';
import { NowNeeds } from './now-needs.js';
import { NowSeries } from './now-series.js';
import { NowService } from './now.service.js';
import { NowZones } from './now-zones.js';

@Module({
  imports: [AccessModule, WithdrawalActionsModule, TypeOrmModule.forFeature([Zone])],
  controllers: [NowController],
  providers: [
    JournalSearch,
    NowHealth,
    NowInstances,
    NowLive,
    NowMail,
    NowNeeds,
    NowSeries,
    NowService,
    NowZones,
    OpenWork,
    RegistrationsToday,
    WaitingWithdrawals,
  ],
})
export class DeskNowModule {}
