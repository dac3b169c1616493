import { Module } from '@nestjs/common';
import { EventSearch } from '../../actions/events/event-search.js';
import { WithdrawalsByRequestId } from '../../actions/withdrawals/withdrawals-by-request-id.js';
import { RequestsController } from './requests.controller.js';
import { RequestsService } from './requests.service.js';

@Module({
  controllers: [RequestsController],
  providers: [EventSearch, RequestsService, WithdrawalsByRequestId],
})
export class DeskRequestsModule {}
