import { type DynamicModule, Module } from '@nestjs/common';
import { commandModules } from '../../command/command-modules.js';
import type { Environment } from '../../config/environment.js';
import { CountersModule } from '../../counters/counters.module.js';
import { JournalModule } from '../../journal/journal.module.js';
import { WithdrawalActionsModule } from '../../withdraw/desk/withdrawal-actions.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Zone } from '../../zones/zone.entity.js';
import { CheckTerminal } from './check-terminal.js';
import { CertificateChecks } from './checks/certificate-checks.js';
import { DatabaseChecks } from './checks/database-checks.js';
import { MachineChecks } from './checks/machine-checks.js';
import { WithdrawalChecks } from './checks/withdrawal-checks.js';
import { ZoneChecks } from './checks/zone-checks.js';

@Module({})
export class CheckCommandModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: CheckCommandModule,
      imports: [
        ...commandModules(environment),
        CountersModule,
        JournalModule,
        WithdrawalActionsModule,
        TypeOrmModule.forFeature([Zone]),
      ],
      providers: [
        CertificateChecks,
        CheckTerminal,
        DatabaseChecks,
        MachineChecks,
        WithdrawalChecks,
        ZoneChecks,
      ],
    };
  }
}
