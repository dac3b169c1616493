import { Injectable } from '@nestjs/common';
import type { Report } from '../command.js';
import { listTable } from '../terminal-table.js';
import { AuditChecks } from './audit-checks.js';
import { CertificateChecks } from './certificate-checks.js';
import { DatabaseChecks } from './database-checks.js';
import { type CheckResult, info, runCheck } from './check-result.js';
import { MachineChecks } from './machine-checks.js';
import { MailChecks } from './mail-checks.js';
import { WithdrawalChecks } from './withdrawal-checks.js';
import { ServerChecks } from './server-checks.js';

/** Checks everything that the service depends on, from the machine that it runs on. */
@Injectable()
export class CheckCommand {
  constructor(
    private readonly machine: MachineChecks,
    private readonly database: DatabaseChecks,
    private readonly mail: MailChecks,
    private readonly servers: ServerChecks,
    private readonly certificates: CertificateChecks,
    private readonly withdrawals: WithdrawalChecks,
    private readonly audit: AuditChecks,
  ) {}

  async check({ server }: { server?: number }): Promise<Report> {
    const data = await (server === undefined ? this.checkAll() : this.checkServers(server));
    const ok = data.every(({ state }) => state !== 'wrong');
    return { text: formatReport(data), data, ok };
  }

  private async checkAll(): Promise<CheckResult[]> {
    const parts = await Promise.all([
      runCheck('account database', () => this.database.run()),
      runCheck('Redis', () => this.machine.redisState()),
      runCheck('mail', () => this.mail.server()),
      runCheck('mails', () => this.mail.deliveries()),
      this.checkServers(),
      this.checkAudit(),
      runCheck('certificate', () => this.certificates.run()),
      runCheck('disk', () => this.machine.disk()),
    ]);
    return [...this.machine.configuration(), ...parts.flat()];
  }

  private async checkAudit(): Promise<CheckResult[]> {
    return this.database.isReachable ? runCheck('audit', () => this.audit.run()) : [];
  }

  private async checkServers(only?: number): Promise<CheckResult[]> {
    if (!this.database.isReachable)
      return [info('servers', 'not looked at: the account database cannot be reached')];
    const parts = await Promise.all([
      runCheck('servers', () => this.servers.run(only)),
      runCheck('withdrawals', () => this.withdrawals.run(only)),
    ]);
    return parts.flat();
  }
}

function formatReport(findings: CheckResult[]): string {
  const table = listTable(findings, {
    '': ({ state }) => (state === 'wrong' ? 'WRONG' : state),
    what: ({ what }) => what,
    found: ({ text }) => text,
  });
  const bad = findings.filter(({ state }) => state === 'wrong').length;
  return `${table}\n\n${bad === 0 ? 'Nothing is wrong.' : `${bad} to see to.`}`;
}
