import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditEvent } from '../../../platform/audit/audit.entity.js';
import { AccountDatabase } from '../../../platform/database/account-database.js';
import { DatabaseClock } from '../../../platform/database/database-clock.js';
import {
  pendingMigrations,
  describeForeignTables,
  foreignTables,
} from '../../../platform/database/schema-state.js';
import { checkWritability, findDurabilityProblem } from '../../../platform/database/writability.js';
import { type CheckResult, failed, info, passed } from './check-result.js';

const MAX_CLOCK_SKEW_MS = 2000;
const MAX_EVENTS = 10_000;
const MAX_NAMED = 20;

/** Checks the account database's availability, version, schema and clock. */
@Injectable()
export class DatabaseChecks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: AccountDatabase,
    private readonly databaseClock: DatabaseClock,
  ) {}

  get isReachable(): boolean {
    return this.dataSource.isInitialized;
  }

  async run(): Promise<CheckResult[]> {
    if (!this.isReachable)
      return [
        failed('account database', 'cannot be reached: check DATABASE_URL and the database server'),
      ];
    return this.dataSource.options.type === 'better-sqlite3'
      ? [
          info('account database', 'embedded: for a first run, not for going live'),
          ...(await this.schema()),
        ]
      : [
          await this.serverVersion(),
          await this.durability(),
          ...(await this.schema()),
          await this.clock(),
        ];
  }

  private async serverVersion(): Promise<CheckResult> {
    const [{ version, mode }] = (await this.dataSource.query(
      'SELECT VERSION() AS version, @@sql_mode AS mode',
    )) as [{ version: string; mode: string }];
    const kind = version.includes('MariaDB') ? 'MariaDB' : 'MySQL';
    const cluster = await this.cluster();
    const { problem } = await checkWritability((sql) => this.dataSource.query(sql));
    if (problem)
      return failed(
        'account database',
        `${kind} ${version} accepts no writes: ${problem}; promote it, or name the other hosts`,
      );
    // `isUp` needs our tables, and another check reports them if they are missing.
    if ((await this.hasSchema()) && !(await this.database.isUp()))
      return failed('account database', `${kind} ${version} does not answer as it should`);
    return passed(
      'account database',
      `${kind} ${version}${cluster}; sql_mode of our sessions: ${mode}`,
    );
  }

  private async cluster(): Promise<string> {
    const rows = await this.dataSource.query<Array<{ Variable_name: string; Value: string }>>(
      `SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_cluster_size', 'wsrep_cluster_status')`,
    );
    const status = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
    const size = Number(status.get('wsrep_cluster_size') ?? 0);
    return size > 0 ? `, Galera with ${size} nodes, ${status.get('wsrep_cluster_status')}` : '';
  }

  /** Reports risky durability only as a note, because the operators may have chosen it. */
  private async durability(): Promise<CheckResult> {
    const problem = await findDurabilityProblem((sql) => this.dataSource.query(sql));
    return problem
      ? info('RiskyDurability', `${problem}: docs/withdrawals.md, "What it cannot know"`)
      : passed('durability', 'the database keeps every commit in a crash');
  }

  async hasSchema(): Promise<boolean> {
    return this.isReachable && (await pendingMigrations(this.dataSource)).length === 0;
  }

  private async schema(): Promise<CheckResult[]> {
    const foreign = await foreignTables(this.dataSource);
    if (foreign.size > 0) return [failed('foreign tables', describeForeignTables(foreign))];
    const pending = await pendingMigrations(this.dataSource);
    return [
      passed('foreign tables', 'none under our names'),
      pending.length === 0
        ? passed('schema', 'up to date')
        : failed('schema', describePending(pending, this.dataSource.migrations.length)),
    ];
  }

  /** Checks the clock, because an instance decides by age whether another instance has abandoned its work. */
  private async clock(): Promise<CheckResult> {
    const apart = Math.round(await this.databaseClock.skewMs());
    return Math.abs(apart) > MAX_CLOCK_SKEW_MS
      ? failed('clocks', `the database's is ${apart} ms off ours: set up NTP on both`)
      : passed('clocks', `the database's is ${apart} ms off ours`);
  }
}

function describePending(pending: string[], all: number): string {
  return pending.length === all
    ? 'missing: run gatehouse migrate'
    : `older than this program, run gatehouse migrate: ${pending.join(', ')}`;
}

@Injectable()
export class AuditChecks {
  constructor(private readonly dataSource: DataSource) {}

  async run(): Promise<CheckResult[]> {
    if (await this.hasWideIds())
      return [info('audit', 'several database servers give out ids, so gaps in them say nothing')];
    const rows = await this.dataSource.manager.find(AuditEvent, {
      select: { id: true },
      order: { id: 'DESC' },
      take: MAX_EVENTS,
    });
    const ids = rows.map(({ id }) => Number(id));
    const missing = missingIds(ids.length < MAX_EVENTS ? [...ids, 0] : ids);
    if (missing.length === 0) return [passed('audit', 'the ids of audit_event have no gaps')];
    const named = missing.slice(0, MAX_NAMED).join(', ');
    return [
      info(
        'audit',
        `${missing.length} ids are missing in audit_event: ${named}. Look for "audit_event <id>" in the log: ` +
          'a line means that the row was deleted or its transaction rolled back',
      ),
    ];
  }

  /** Returns whether the database leaves gaps between ids, as Galera and group replication do. */
  private async hasWideIds(): Promise<boolean> {
    if (this.dataSource.options.type === 'better-sqlite3') return false;
    const [row] = await this.dataSource.query<Array<{ step: number | string }>>(
      'SELECT @@auto_increment_increment AS step',
    );
    return Number(row?.step) > 1;
  }
}

function missingIds(ids: number[]): number[] {
  const missing: number[] = [];
  ids.slice(1).forEach((id, index) => {
    for (let gone = id + 1; gone < ids[index]! && missing.length < MAX_EVENTS; gone++)
      missing.push(gone);
  });
  return missing;
}
