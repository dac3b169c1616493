import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { CountersModule } from '../../../platform/counters/counters.js';
import { WithdrawalActionsModule } from '../../actions/withdrawals/withdrawal-actions.module.js';
import type { Report } from '../command.js';
import { listTable } from '../terminal.js';
import { CertificateChecks } from './certificate-checks.js';
import { type CheckResult, info, runCheck } from './check-result.js';
import { AuditChecks, DatabaseChecks } from './database-checks.js';
import { EventChecks } from './event-checks.js';
import { GameServerChecks } from './game-server-checks.js';
import { MachineChecks } from './machine-checks.js';
import { MailChecks } from './mail-checks.js';
import { ServerChecks, WithdrawalChecks } from './server-checks.js';

@Injectable()
export class CheckCommand {
  constructor(
    private readonly machine: MachineChecks,
    private readonly database: DatabaseChecks,
    private readonly mail: MailChecks,
    private readonly servers: ServerChecks,
    private readonly gameServers: GameServerChecks,
    private readonly certificates: CertificateChecks,
    private readonly withdrawals: WithdrawalChecks,
    private readonly audit: AuditChecks,
    private readonly events: EventChecks,
  ) {}

  async check({ server, gameServer }: { server?: number; gameServer?: number }): Promise<Report> {
    const only = gameServer ?? server;
    const data = await (only === undefined ? this.checkAll() : this.checkServers(only));
    if (gameServer !== undefined && this.database.isReachable)
      data.push(...(await runCheck('game server', () => this.gameServers.run(gameServer))));
    const ok = data.every(({ state }) => state !== 'wrong');
    return { text: formatReport(data), data, ok };
  }

  private async checkAll(): Promise<CheckResult[]> {
    const hasSchema = await this.database.hasSchema().catch(() => false);
    const parts = await Promise.all([
      runCheck('account database', () => this.database.run()),
      runCheck('Redis', () => this.machine.redisState()),
      runCheck('mail', () => this.mail.server()),
      runCheck('mails', () => this.mail.deliveries()),
      this.checkServers(),
      hasSchema ? runCheck('audit', () => this.audit.run()) : [],
      hasSchema ? runCheck('events', () => this.events.run()) : [],
      runCheck('certificate', () => this.certificates.run()),
      runCheck('disk', () => this.machine.disk()),
    ]);
    return [...this.machine.configuration(), ...parts.flat()];
  }

  private async checkServers(only?: number): Promise<CheckResult[]> {
    if (!this.database.isReachable)
      return [info('servers', 'skipped: the account database cannot be reached')];
    if (!(await this.database.hasSchema().catch(() => false)))
      return [info('servers', 'skipped: the schema is missing or older than this program')];
    const parts = await Promise.all([
      runCheck('servers', () => this.servers.run(only)),
      runCheck('withdrawals', () => this.withdrawals.run(only)),
    ]);
    return parts.flat();
  }
}

function formatReport(findings: CheckResult[]): string {
  // The problems come last, because a terminal shows the end of a long table.
  const rank = ({ state }: CheckResult) => (state === 'wrong' ? 1 : 0);
  const sorted = findings.toSorted((one, other) => rank(one) - rank(other));
  const table = listTable(sorted, {
    '': ({ state }) => (state === 'wrong' ? 'WRONG' : state),
    what: ({ what }) => what,
    found: ({ text }) => text,
  });
  const bad = findings.filter(({ state }) => state === 'wrong').length;
  return `${table}\n\n${bad === 0 ? 'Nothing is wrong.' : `Problems: ${bad}.`}`;
}

@Module({
  imports: [CountersModule, WithdrawalActionsModule, TypeOrmModule.forFeature([GameServer])],
  providers: [
    AuditChecks,
    CertificateChecks,
    CheckCommand,
    DatabaseChecks,
    EventChecks,
    GameServerChecks,
    MachineChecks,
    MailChecks,
    WithdrawalChecks,
    ServerChecks,
  ],
})
export class CheckCommandModule {}
