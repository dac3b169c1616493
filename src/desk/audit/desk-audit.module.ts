import { Module } from '@nestjs/common';
import { JournalSearch } from '../../journal/journal-search.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

@Module({ controllers: [AuditController], providers: [AuditService, JournalSearch] })
export class DeskAuditModule {}
