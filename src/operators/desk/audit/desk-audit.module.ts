import { Module } from '@nestjs/common';
import { EventSearch } from '../../actions/events/event-search.js';
import { PlayerFinder } from '../../actions/players/player-finder.js';
import { CsvExport } from '../csv-export.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

@Module({
  controllers: [AuditController],
  providers: [AuditService, CsvExport, EventSearch, PlayerFinder],
})
export class DeskAuditModule {}
