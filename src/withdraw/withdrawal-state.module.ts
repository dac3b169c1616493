import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServersModule } from '../servers/servers.module.js';
import { GmClient } from './gm-client.js';
import { UnknownInquiry } from './unknown-inquiry.js';
import { WithdrawalBook } from './withdrawal-book.js';
import { WithdrawalCount } from './withdrawal-count.js';
import { WithdrawalEvent } from './withdrawal-event.entity.js';
import { Withdrawal } from './withdrawal.entity.js';
import { ZoneDatabase } from './zone-database.js';
import { Zones } from './zones.js';

const PARTS = [GmClient, UnknownInquiry, WithdrawalBook, ZoneDatabase, Zones];

/** The states of withdrawals and the two ways to a zone: shared by the service and its command line. */
@Module({
  imports: [TypeOrmModule.forFeature([Withdrawal, WithdrawalEvent]), ServersModule],
  providers: [...PARTS, WithdrawalCount],
  exports: [...PARTS, TypeOrmModule],
})
export class WithdrawalStateModule {}
