import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ZonesCoreModule } from '../zones/zones-core.module.js';
import { GmClient } from './game/gm-client.js';
import { UnknownInquiry } from './upkeep/unknown-inquiry.js';
import { WithdrawalBook } from './record/withdrawal-book.js';
import { WithdrawalCount } from './record/withdrawal-count.js';
import { WithdrawalEvent } from './record/withdrawal-event.entity.js';
import { WithdrawalOrphan } from './record/withdrawal-orphan.entity.js';
import { WithdrawalOrphans } from './record/withdrawal-orphans.js';
import { SettleRequest } from './record/settle-request.entity.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import { ZoneConnections } from './game/zone-connections.js';
import { ZoneDatabase } from './game/zone-database.js';
import { ZoneFailures } from './game/zone-failures.js';
import { WithdrawalZones } from './game/withdrawal-zones.js';

const PARTS = [
  GmClient,
  UnknownInquiry,
  WithdrawalBook,
  WithdrawalOrphans,
  ZoneDatabase,
  ZoneFailures,
  WithdrawalZones,
];

/** The states of withdrawals and the two ways to a zone: shared by the service and its command line. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SettleRequest, Withdrawal, WithdrawalEvent, WithdrawalOrphan]),
    ZonesCoreModule,
  ],
  providers: [...PARTS, WithdrawalCount, ZoneConnections],
  exports: [...PARTS, TypeOrmModule],
})
export class WithdrawalCoreModule {}
