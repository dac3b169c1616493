import { Module } from '@nestjs/common';
import { EventSearch } from '../../actions/events/event-search.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { RequestSearch } from '../../actions/events/request-search.js';
import { EventsCommand } from './events.command.js';

@Module({
  imports: [TypeOrmModule.forFeature([Withdrawal])],
  providers: [EventsCommand, EventSearch, RequestSearch],
})
export class EventsCommandModule {}
