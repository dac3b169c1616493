import { Module } from '@nestjs/common';
import { JournalSearch } from '../../journal/journal-search.js';
import { WithdrawalsOfRequest } from '../../withdraw/desk/withdrawals-of-request.js';
import { RequestsController } from './requests.controller.js';
import { RequestsService } from './requests.service.js';

@Module({
  controllers: [RequestsController],
  providers: [JournalSearch, RequestsService, WithdrawalsOfRequest],
})
export class DeskRequestsModule {}
