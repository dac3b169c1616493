import { type DynamicModule, Module } from '@nestjs/common';
import { commandModules } from '../../command/command-modules.js';
import type { Environment } from '../../config/environment.js';
import { JournalModule } from '../journal.module.js';
import { JournalSearch } from '../journal-search.js';
import { EventsTerminal } from './events-terminal.js';

@Module({})
export class EventsCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: EventsCommandModule,
      imports: [...commandModules(environment), JournalModule],
      providers: [EventsTerminal, JournalSearch],
    };
  }
}
