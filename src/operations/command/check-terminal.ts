import { Injectable } from '@nestjs/common';
import { understand, wholeOf } from '../../command/arguments.js';
import { type Report, UsageError } from '../../command/command.js';
import { terminalTable } from '../../command/terminal-table.js';
import { CertificateChecks } from './checks/certificate-checks.js';
import { DatabaseChecks } from './checks/database-checks.js';
import { type Finding, note, tried } from './checks/finding.js';
import { MachineChecks } from './checks/machine-checks.js';
import { WithdrawalChecks } from './checks/withdrawal-checks.js';
import { ZoneChecks } from './checks/zone-checks.js';

export const OPTIONS = ['zone'];

export const USAGE = `gatehouse check             looks at everything the service stands on, a line for each: good, or what to do
gatehouse check --zone 3    looks at one zone: its database, its GM interface, its withdrawals
It changes nothing and sends nothing. Exit code 1 if something is wrong. --json prints JSON.
Of instances that run: gatehouse status.`;

/** Looks at everything that the service stands on, from the machine that it runs on. */
@Injectable()
export class CheckTerminal {
  constructor(
    private readonly machine: MachineChecks,
    private readonly database: DatabaseChecks,
    private readonly zones: ZoneChecks,
    private readonly certificates: CertificateChecks,
    private readonly withdrawals: WithdrawalChecks,
  ) {}

  async run(args: string[]): Promise<Report & { json: boolean }> {
    const { words, json, texts } = understand(args, OPTIONS);
    if (words.length > 0) throw new UsageError('check takes no arguments but --zone');
    const zone = texts.zone === undefined ? undefined : wholeOf(texts.zone, 'id of a zone');
    const data = await (zone === undefined ? this.everything() : this.ofZones(zone));
    const ok = data.every(({ state }) => state !== 'wrong');
    return { text: report(data), data, ok, json };
  }

  private async everything(): Promise<Finding[]> {
    const parts = await Promise.all([
      tried('account database', () => this.database.run()),
      tried('Redis', () => this.machine.redisState()),
      tried('mail', () => this.machine.mail()),
      this.ofZones(),
      tried('certificate', () => this.certificates.run()),
      tried('disk', () => this.machine.disk()),
    ]);
    return [...this.machine.configuration(), ...parts.flat()];
  }

  private async ofZones(only?: number): Promise<Finding[]> {
    if (!this.database.isThere)
      return [note('zones', 'not looked at: the account database cannot be reached')];
    const parts = await Promise.all([
      tried('zones', () => this.zones.run(only)),
      tried('withdrawals', () => this.withdrawals.run(only)),
    ]);
    return parts.flat();
  }
}

function report(findings: Finding[]): string {
  const table = terminalTable(
    ['', 'what', 'found'],
    findings.map(({ state, what, text }) => [state === 'wrong' ? 'WRONG' : state, what, text]),
  );
  const bad = findings.filter(({ state }) => state === 'wrong').length;
  return `${table}\n\n${bad === 0 ? 'Nothing is wrong.' : `${bad} to see to.`}`;
}
