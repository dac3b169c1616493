import { Module } from '@nestjs/common';
import { EventSearch } from '../../actions/events/event-search.js';
import { RequestSearch } from '../../actions/events/request-search.js';
import { RequestsController } from './requests.controller.js';
import { RequestsService } from './requests.service.js';

@Module({
  controllers: [RequestsController],
  providers: [EventSearch, RequestSearch, RequestsService],
})
export class DeskRequestsModule {}
