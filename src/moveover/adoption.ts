import { escapeId } from 'mysql2';
import { CommandRefused } from '../command/command.js';
import { foreignTables } from '../database/schema/foreign-tables.js';
import { ourTables } from './our-tables.js';
import type { Target } from './target.js';

const ASIDE = 'old_';
const UNDONE = 'undone_';

/** Old tables under our names in our own database: moved aside, and put back. */
export class Adoption {
  constructor(private readonly target: Target) {}

  /** The name under which an old table is found now. */
  async names(): Promise<(table: string) => string> {
    const present = await this.present();
    return (table) => (present.has(ASIDE + table) ? ASIDE + table : table);
  }

  /** Renames them in one step, or finds that this was done before. Gives the statement. */
  async moveAside(): Promise<string | undefined> {
    const present = await this.present();
    const foreign = [...(await foreignTables(this.target.dataSource)).keys()];
    if (foreign.length === 0) {
      if ([...present].some((table) => table.startsWith(ASIDE))) return undefined;
      throw new CommandRefused('there are no old tables under our names here: nothing to adopt');
    }
    const taken = foreign.filter((table) => present.has(ASIDE + table));
    if (taken.length > 0)
      throw new CommandRefused(
        `${taken.map((table) => ASIDE + table).join(', ')} is in the way: rename or drop it first`,
      );
    const sql = rename(foreign.map((table) => [table, ASIDE + table]));
    await this.target.query(sql);
    return sql;
  }

  /** How much that came into being here would be lost. */
  async newHere(): Promise<{ players: number; withdrawals: number }> {
    // Cut off before the tables were made: nobody can have come.
    if (!(await this.present()).has('moveover_player')) return { players: 0, withdrawals: 0 };
    const count = async (sql: string) =>
      Number((await this.target.query<{ n: string }>(sql))[0]?.n);
    return {
      players: await count(
        `SELECT COUNT(*) AS n FROM player p
          WHERE NOT EXISTS (SELECT 1 FROM moveover_player m WHERE m.player_id = p.id)`,
      ),
      withdrawals: await count('SELECT COUNT(*) AS n FROM withdraw'),
    };
  }

  /** Puts the old tables back in one step. Ours are dropped after that. */
  async putBack(): Promise<string> {
    const ours = await ourTables();
    const present = await this.present();
    const old = ours.filter((table) => present.has(ASIDE + table));
    if (old.length === 0) throw new CommandRefused('no old tables were moved aside here');
    const leaving = ours.filter((table) => present.has(table));
    const sql = rename([
      ...leaving.map((table): [string, string] => [table, UNDONE + table]),
      ...old.map((table): [string, string] => [ASIDE + table, table]),
    ]);
    await this.target.query(sql);
    await this.target.transaction(async (manager) => {
      await manager.query('SET FOREIGN_KEY_CHECKS = 0');
      const all = leaving.map((table) => escapeId(UNDONE + table)).join(', ');
      await manager.query(`DROP TABLE ${all}`);
      await manager.query('SET FOREIGN_KEY_CHECKS = 1');
    });
    return sql;
  }

  private async present(): Promise<Set<string>> {
    const rows = await this.target.query<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    return new Set(rows.map(({ name }) => name));
  }
}

function rename(pairs: Array<[string, string]>): string {
  return `RENAME TABLE ${pairs.map(([from, to]) => `${escapeId(from)} TO ${escapeId(to)}`).join(', ')}`;
}
