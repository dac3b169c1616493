import { type DynamicModule, Module } from '@nestjs/common';
import { commandModules } from '../command-modules.js';
import type { Environment } from '../../../platform/config/environment.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { EventsCommand } from './events.command.js';

@Module({})
export class EventsCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: EventsCommandModule,
      imports: [...commandModules(environment), AuditModule],
      providers: [EventsCommand, EventSearch],
    };
  }
}
