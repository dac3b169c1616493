import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { commandModules } from '../../command/command-modules.js';
import type { Environment } from '../../config/environment.js';
import { JournalModule } from '../../journal/journal.module.js';
import { OpenWork } from '../desk/open-work.js';
import { ZoneActs } from '../desk/zone-acts.js';
import { Zone } from '../zone.entity.js';
import { ZoneTerminal } from './zone-terminal.js';

@Module({})
export class ZoneCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: ZoneCommandModule,
      imports: [...commandModules(environment), JournalModule, TypeOrmModule.forFeature([Zone])],
      providers: [OpenWork, ZoneActs, ZoneTerminal],
    };
  }
}
