import { type DynamicModule, Module } from '@nestjs/common';
import { commandModules } from '../command-modules.js';
import type { Environment } from '../../../platform/config/environment.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { EventSearch } from '../../../platform/audit/event-search.js';
import { EventsTerminal } from './events-terminal.js';

@Module({})
export class EventsCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: EventsCommandModule,
      imports: [...commandModules(environment), AuditModule],
      providers: [EventsTerminal, EventSearch],
    };
  }
}
