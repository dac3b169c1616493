import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Zone } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { WITHDRAWAL_ENTITIES, WITHDRAWAL_PROVIDERS } from '../withdrawal-providers.js';
import { WithdrawalActs } from './withdrawal-acts.js';
import { WithdrawalSearch } from './withdrawal-search.js';

/** Withdrawals for the desk and the command line. Not `WithdrawModule`: that serves players and runs the sweeper. */
@Module({
  imports: [TypeOrmModule.forFeature([...WITHDRAWAL_ENTITIES, Zone])],
  providers: [...WITHDRAWAL_PROVIDERS, WithdrawalActs, WithdrawalSearch, ZonesService],
  exports: [...WITHDRAWAL_PROVIDERS, WithdrawalActs, WithdrawalSearch, TypeOrmModule],
})
export class WithdrawalActionsModule {}
