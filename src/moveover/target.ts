import type { DataSource, EntityManager } from 'typeorm';
import { CommandRefused } from '../command/command.js';
import type { Environment } from '../config/environment.js';
import { createDataSource, migrationDataSourceOptions } from '../database/data-source.js';
import { isConflict, isDuplicate } from '../database/database-errors.js';
import { PrimaryHost } from '../database/primary-host.js';
import { literal } from './sql-literal.js';

const LARGEST_INT = 2_147_483_647;
const ATTEMPTS = 20;

/** Another run has moved a player meanwhile. */
export class AlreadyMoved extends Error {}

/** The account database, without the service's time limits. */
export class Target {
  private constructor(
    readonly dataSource: DataSource,
    readonly embedded: boolean,
  ) {}

  static async open(environment: Environment): Promise<Target> {
    const { servers } = environment;
    try {
      const host = servers && (await new PrimaryHost(servers).find());
      const dataSource = createDataSource(migrationDataSourceOptions(environment, host));
      await dataSource.initialize();
      return new Target(dataSource, environment.embedded);
    } catch (error) {
      throw new CommandRefused(
        `the account database cannot be reached: ${(error as Error).message}`,
      );
    }
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  literal(value: Parameters<typeof literal>[0]): string {
    return literal(value, this.embedded);
  }

  query<Row>(sql: string): Promise<Row[]> {
    return this.dataSource.query(sql);
  }

  /** Sees what others have committed meanwhile, and is done again where another transaction was first. */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (this.embedded
          ? this.dataSource.transaction(work)
          : this.dataSource.transaction('READ COMMITTED', work));
      } catch (error) {
        // A duplicate: somebody registered the name since it was looked for.
        const again = isConflict(error) || isDuplicate(error) || error instanceof AlreadyMoved;
        if (attempt < ATTEMPTS && again) continue;
        if (!isDuplicate(error)) throw error;
        throw new CommandRefused(`two players want the same here: ${(error as Error).message}`);
      }
    }
  }

  /** Whether the schema is there, and as this program knows it. */
  async isMigrated(): Promise<boolean> {
    const done = await this.query('SELECT name FROM migrations').catch(() => []);
    return done.length >= this.dataSource.migrations.length;
  }

  /** From now on new registrations get larger ids. Returns the first of them that was free. */
  async reserveIds(upTo: number, more: number): Promise<number> {
    const [row] = await this.query<{ id: number | null }>('SELECT MAX(id) AS id FROM player');
    const first = Math.max(row?.id ?? 0, upTo) + 1;
    const next = first + more;
    if (next > LARGEST_INT) return first;
    if (!this.embedded) await this.skipIds(next - 1);
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

  /** A row that is taken back moves the counter. ALTER TABLE would wait for a dump, and every login behind it. */
  private async skipIds(last: number): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(
        `INSERT INTO player (id, account, password) VALUES (${last}, '~moveover', '')`,
      );
    } catch (error) {
      // The id is in use, so the counter is beyond it.
      if (!isDuplicate(error)) throw error;
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  async remember(name: string, value: string): Promise<void> {
    await this.transaction(async (manager) => {
      await manager.query(`DELETE FROM moveover_state WHERE name = ${this.literal(name)}`);
      await manager.query(
        `INSERT INTO moveover_state (name, value) VALUES (${this.literal(name)}, ${this.literal(value)})`,
      );
    });
  }

  async recall(name: string): Promise<string | undefined> {
    const [row] = await this.query<{ value: string }>(
      `SELECT value FROM moveover_state WHERE name = ${this.literal(name)}`,
    );
    return row?.value;
  }
}
