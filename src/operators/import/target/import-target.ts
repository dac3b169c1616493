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

const MAX_INT = 2_147_483_647;
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

  query<Row>(sql: string): Promise<Row[]> {
    return this.dataSource.query(sql);
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
        const again = isConflict(error) || isDuplicateKey(error);
        if (attempt < ATTEMPTS && again) continue;
        if (!isDuplicateKey(error)) throw error;
        throw new CommandFailed(`two players want the same here: ${(error as Error).message}`);
      }
    }
  }

  async isMigrated(): Promise<boolean> {
    const done = await this.query('SELECT name FROM migrations').catch(() => []);
    return done.length >= this.dataSource.migrations.length;
  }

  /** Reserves ids, so that new registrations get larger ones, and returns the first reserved id. */
  async reserveIds(upTo: number, more: number): Promise<number> {
    const [row] = await this.query<{ id: number | null }>('SELECT MAX(id) AS id FROM player');
    const first = Math.max(row?.id ?? 0, upTo) + 1;
    const next = first + more;
    if (next > MAX_INT) return first;
    if (!this.embedded) await this.advanceIdCounter(next - 1);
    else {
      await this.query(
        `INSERT INTO sqlite_sequence (name, seq) SELECT 'player', 0
          WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'player')`,
      );
      await this.query(
        `UPDATE sqlite_sequence SET seq = max(seq, ${next - 1}) WHERE name = 'player'`,
      );
    }
    return first;
  }

  /** Advances the counter by a rolled-back insert. ALTER TABLE would wait for a dump and block every login. */
  private async advanceIdCounter(last: number): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(
        `INSERT INTO player (id, account, password) VALUES (${last}, '~import', '')`,
      );
    } catch (error) {
      // The id is in use, so the counter is already beyond it.
      if (!isDuplicateKey(error)) throw error;
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  async setState(name: string, value: string): Promise<void> {
    await this.transaction(async (manager) => {
      await manager.query(`DELETE FROM import_state WHERE name = ${this.literal(name)}`);
      await manager.query(
        `INSERT INTO import_state (name, value) VALUES (${this.literal(name)}, ${this.literal(value)})`,
      );
    });
  }

  async getState(name: string): Promise<string | undefined> {
    const [row] = await this.query<{ value: string }>(
      `SELECT value FROM import_state WHERE name = ${this.literal(name)}`,
    );
    return row?.value;
  }
}
