import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountDatabase } from '../../../platform/database/account-database.js';
import { DatabaseClock } from '../../../platform/database/database-clock.js';
import { pendingMigrations } from '../../../platform/database/schema/schema-current.js';
import {
  describeForeignTables,
  foreignTables,
} from '../../../platform/database/schema/foreign-tables.js';
import { findWriteProblem } from '../../../platform/database/writability.js';
import { type CheckResult, passed, info, failed } from './check-result.js';

const MAX_CLOCK_SKEW_MS = 2000;

/** The account database: whether it answers, its version, its schema and its clock. */
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
      : [await this.serverVersion(), ...(await this.schema()), await this.clock()];
  }

  private async serverVersion(): Promise<CheckResult> {
    const [{ version, mode }] = (await this.dataSource.query(
      'SELECT VERSION() AS version, @@sql_mode AS mode',
    )) as [{ version: string; mode: string }];
    const kind = version.includes('MariaDB') ? 'MariaDB' : 'MySQL';
    const cluster = await this.cluster();
    const problem = await findWriteProblem((sql) => this.dataSource.query(sql));
    if (problem)
      return failed(
        'account database',
        `${kind} ${version} takes no writes: ${problem}; promote it, or name the other hosts`,
      );
    if (!(await this.database.isUp()))
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

  private async schema(): Promise<CheckResult[]> {
    const foreign = await foreignTables(this.dataSource);
    if (foreign.size > 0) return [failed('foreign tables', describeForeignTables(foreign))];
    const pending = await pendingMigrations(this.dataSource);
    return [
      passed('foreign tables', 'none under our names'),
      pending.length === 0
        ? passed('schema', 'up to date')
        : failed('schema', `older than this program, run gatehouse migrate: ${pending.join(', ')}`),
    ];
  }

  /** Instances judge by age what others left behind, so the clocks must agree. */
  private async clock(): Promise<CheckResult> {
    const apart = Math.round(await this.databaseClock.skewMs());
    return Math.abs(apart) > MAX_CLOCK_SKEW_MS
      ? failed('clocks', `the database's is ${apart} ms off ours: set up NTP on both`)
      : passed('clocks', `the database's is ${apart} ms off ours`);
  }
}
