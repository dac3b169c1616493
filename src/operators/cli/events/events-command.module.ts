import { type DynamicModule, Module } from '@nestjs/common';
import { commandModules } from '../command-modules.js';
import type { Environment } from '../../../platform/config/environment.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { RequestSearch } from '../../actions/events/request-search.js';
import { EventsCommand } from './events.command.js';

@Module({})
export class EventsCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: EventsCommandModule,
      imports: [
        ...commandModules(environment),
        AuditModule,
        TypeOrmModule.forFeature([Withdrawal]),
      ],
      providers: [EventsCommand, EventSearch, RequestSearch],
    };
  }
}
