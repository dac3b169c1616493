import { Module } from '@nestjs/common';
import { CountersModule } from '../../../platform/counters/counters.module.js';
import { WithdrawalActionsModule } from '../../actions/withdrawals/withdrawal-actions.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { CheckCommand } from './check.command.js';
import { AuditChecks } from './audit-checks.js';
import { CertificateChecks } from './certificate-checks.js';
import { DatabaseChecks } from './database-checks.js';
import { MachineChecks } from './machine-checks.js';
import { MailChecks } from './mail-checks.js';
import { WithdrawalChecks } from './withdrawal-checks.js';
import { ServerChecks } from './server-checks.js';

@Module({
  imports: [CountersModule, WithdrawalActionsModule, TypeOrmModule.forFeature([GameServer])],
  providers: [
    AuditChecks,
    CertificateChecks,
    CheckCommand,
    DatabaseChecks,
    MachineChecks,
    MailChecks,
    WithdrawalChecks,
    ServerChecks,
  ],
})
export class CheckCommandModule {}
