import { escapeId } from 'mysql2';
import { CommandFailed } from '../cli/command.js';
import { foreignTables } from '../../platform/database/schema/foreign-tables.js';
import { listGatehouseTables } from './gatehouse-tables.js';
import type { ImportTarget } from './import-target.js';

const OLD_PREFIX = 'old_';
const DROPPED_PREFIX = 'undone_';

/** Old tables under our names in our own database: moved aside, and put back. */
export class InPlaceTables {
  constructor(private readonly target: ImportTarget) {}

  /** The name under which an old table is found now. */
  async resolveNames(): Promise<(table: string) => string> {
    const present = await this.existingTables();
    return (table) => (present.has(OLD_PREFIX + table) ? OLD_PREFIX + table : table);
  }

  /** Renames them in one step, or finds that this was done before. Gives the statement. */
  async moveAside(): Promise<string | undefined> {
    const present = await this.existingTables();
    const foreign = [...(await foreignTables(this.target.dataSource)).keys()];
    if (foreign.length === 0) {
      if ([...present].some((table) => table.startsWith(OLD_PREFIX))) return undefined;
      throw new CommandFailed('there are no old tables under our names here: nothing to adopt');
    }
    const taken = foreign.filter((table) => present.has(OLD_PREFIX + table));
    if (taken.length > 0)
      throw new CommandFailed(
        `${taken.map((table) => OLD_PREFIX + table).join(', ')} is in the way: rename or drop it first`,
      );
    const sql = renameTablesSql(foreign.map((table) => [table, OLD_PREFIX + table]));
    await this.target.query(sql);
    return sql;
  }

  /** How much that came into being here would be lost. */
  async countNewRows(): Promise<{ players: number; withdrawals: number }> {
    // Cut off before the tables were made: nobody can have come.
    if (!(await this.existingTables()).has('import_player')) return { players: 0, withdrawals: 0 };
    const count = async (sql: string) =>
      Number((await this.target.query<{ n: string }>(sql))[0]?.n);
    return {
      players: await count(
        `SELECT COUNT(*) AS n FROM player p
          WHERE NOT EXISTS (SELECT 1 FROM import_player m WHERE m.player_id = p.id)`,
      ),
      withdrawals: await count('SELECT COUNT(*) AS n FROM withdraw'),
    };
  }

  /** Puts the old tables back in one step. Ours are dropped after that. */
  async restore(): Promise<string> {
    const ours = await listGatehouseTables();
    const present = await this.existingTables();
    const old = ours.filter((table) => present.has(OLD_PREFIX + table));
    if (old.length === 0) throw new CommandFailed('no old tables were moved aside here');
    const current = ours.filter((table) => present.has(table));
    const sql = renameTablesSql([
      ...current.map((table): [string, string] => [table, DROPPED_PREFIX + table]),
      ...old.map((table): [string, string] => [OLD_PREFIX + table, table]),
    ]);
    await this.target.query(sql);
    await this.target.transaction(async (manager) => {
      await manager.query('SET FOREIGN_KEY_CHECKS = 0');
      const all = current.map((table) => escapeId(DROPPED_PREFIX + table)).join(', ');
      await manager.query(`DROP TABLE ${all}`);
      await manager.query('SET FOREIGN_KEY_CHECKS = 1');
    });
    return sql;
  }

  private async existingTables(): Promise<Set<string>> {
    const rows = await this.target.query<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    return new Set(rows.map(({ name }) => name));
  }
}

function renameTablesSql(pairs: Array<[string, string]>): string {
  return `RENAME TABLE ${pairs.map(([from, to]) => `${escapeId(from)} TO ${escapeId(to)}`).join(', ')}`;
}
