import type { DataSource, EntityManager } from 'typeorm';
import { CommandFailed } from '../../cli/command.js';
import type { Environment } from '../../../platform/config/environment.js';
import {
  createDataSource,
  migrationDataSourceOptions,
} from '../../../platform/database/data-source.js';
import { isConflict, isDuplicateKey } from '../../../platform/database/database-errors.js';
import { PrimaryHost } from '../../../platform/database/primary-host.js';
import { sqlTime } from '../../../platform/database/sql.js';
import { MAX_INT } from '../../../platform/http/validation/field.decorator.js';

const ATTEMPTS = 20;
/** Matches text that is safe in quotes, which has no quotes, backslashes, control or astral characters. */
const PLAIN = /^[\w@.:+ \-\u00a1-\ud7ff\ue000-\ufffc]*$/;

/** Connects to the account database without the service's timeouts. */
export class ImportTarget {
  private constructor(
    readonly dataSource: DataSource,
    readonly embedded: boolean,
  ) {}

  static async open(environment: Environment): Promise<ImportTarget> {
    const { accountDatabase } = environment;
    try {
      const host = accountDatabase && (await new PrimaryHost(accountDatabase).find());
      const dataSource = createDataSource(migrationDataSourceOptions(environment, host));
      await dataSource.initialize();
      return new ImportTarget(dataSource, environment.embedded);
    } catch (error) {
      throw new CommandFailed(
        `the account database cannot be reached: ${(error as Error).message}`,
      );
    }
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  /** Formats a value for a long statement, in hexadecimal if a quote or backslash could break it. */
  literal(value: string | number | Date | null): string {
    if (value === null) return 'NULL';
    if (typeof value === 'number') return String(value);
    if (value instanceof Date) return `'${sqlTime(value)}'`;
    if (PLAIN.test(value)) return `'${value}'`;
    const hex = `x'${Buffer.from(value).toString('hex')}'`;
    return this.embedded ? `CAST(${hex} AS TEXT)` : `_utf8mb4 ${hex}`;
  }

  literals(values: Array<string | number | Date | null>): string {
    return values.map((value) => this.literal(value)).join(', ');
  }

  query<Row>(sql: string): Promise<Row[]> {
    return this.dataSource.query(sql);
  }

  /** Reads a table with millions of rows in pages. The statement must end with the table. */
  async *pages<Row>(select: string): AsyncGenerator<Array<Row & { id: number }>> {
    for (let last = 0; ;) {
      const sql = `${select} WHERE id > ${last} ORDER BY id LIMIT 5000`;
      const rows = await this.query<Row & { id: number }>(sql);
      if (rows.length === 0) return;
      yield rows;
      last = rows.at(-1)!.id;
    }
  }

  async count(from: string): Promise<number> {
    const [row] = await this.query<{ n: number | string }>(`SELECT COUNT(*) AS n FROM ${from}`);
    return Number(row?.n);
  }

  /** Runs a transaction that sees concurrent commits, and repeats it after a conflict. */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (this.embedded
          ? this.dataSource.transaction(work)
          : this.dataSource.transaction('READ COMMITTED', work));
      } catch (error) {
        // A duplicate means that a player registered the name after it was checked.
        const isRetried = isConflict(error) || isDuplicateKey(error);
        if (isRetried && attempt < ATTEMPTS) continue;
        if (!isDuplicateKey(error)) throw error;
        throw new CommandFailed(`two players want the same here: ${(error as Error).message}`);
      }
    }
  }

  async isMigrated(): Promise<boolean> {
    const done = await this.query('SELECT name FROM migrations').catch(() => []);
    return done.length >= this.dataSource.migrations.length;
  }

  /**
   * Reserves ids, so that new registrations get larger ones, and returns the first reserved id. A row that is deleted
   * again advances the counter, because ALTER TABLE would wait for a dump and block every login.
   */
  async reserveIds(upTo: number, more: number): Promise<number> {
    const [row] = await this.query<{ id: number | null }>('SELECT MAX(id) AS id FROM player');
    const first = Math.max(row?.id ?? 0, upTo) + 1;
    const last = first + more - 1;
    if (last < 1 || last >= MAX_INT) return first;
    try {
      await this.dataSource.transaction(async (manager) => {
        await manager.query(
          `INSERT INTO player (id, account, password) VALUES (${last}, '~import', '')`,
        );
        await manager.query(`DELETE FROM player WHERE id = ${last}`);
      });
    } catch (error) {
      // The id is in use, so the counter is already beyond it.
      if (!isDuplicateKey(error)) throw error;
    }
    return first;
  }

  async setState(name: string, value: string): Promise<void> {
    await this.query(
      `REPLACE INTO import_state (name, value) VALUES (${this.literals([name, value])})`,
    );
  }

  async getState(name: string): Promise<string | undefined> {
    const [row] = await this.query<{ value: string }>(
      `SELECT value FROM import_state WHERE name = ${this.literal(name)}`,
    );
    return row?.value;
  }
}
