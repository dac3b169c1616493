import { Module } from '@nestjs/common';
import { RegistrationsToday } from '../../accounts/desk/registrations-today.js';
import { JournalSearch } from '../../journal/journal-search.js';
import { WaitingWithdrawals } from '../../withdraw/desk/waiting-withdrawals.js';
import { WithdrawalSearch } from '../../withdraw/desk/withdrawal-search.js';
import { WithdrawalCoreModule } from '../../withdraw/withdrawal-core.module.js';
import { OpenWork } from '../../zones/desk/open-work.js';
import { ZonesCoreModule } from '../../zones/zones-core.module.js';
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
  imports: [AccessModule, WithdrawalCoreModule, ZonesCoreModule],
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
    WithdrawalSearch,
  ],
})
export class DeskNowModule {}
